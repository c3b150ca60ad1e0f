import { Anchor, Code, Group, Table, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { Section } from '../report/section';
import { When } from '../runs/when';
import { compareAddress, reportAddress } from '../session/addresses';
import { CopyText } from '../states/copyable';
import { type Regression } from './regression-query';

/** The last good run, the first bad one, and the commits between them. */
export function WhereItCameIn({ team, regression }: { team: string; regression: Regression }) {
  const { firstBad, lastGood, commitRange } = regression;
  const range = commitRange && `${commitRange.after}..${commitRange.upTo}`;
  return (
    <Section title="Where it came in">
      <Table verticalSpacing={4} fz="sm" withRowBorders={false}>
        <Table.Tbody>
          <Fact label="First bad run">
            <RunLink team={team} runId={firstBad.runId} commit={firstBad.commit} />
            <Text size="xs" c="dimmed">
              <When at={firstBad.at} />
            </Text>
          </Fact>
          <Fact label="Last good run">
            <RunLink team={team} runId={lastGood.runId} commit={lastGood.commit} />
          </Fact>
          <Fact label="Commits">
            {range === null ? (
              <Text size="sm" c="dimmed">
                Not known: the runs do not say their commits. Send --commit with each run.
              </Text>
            ) : (
              <Group gap="xs">
                <Code style={{ overflowWrap: 'anywhere' }}>{range}</Code>
                <CopyText text={`git log ${range}`} what="the command that lists the commits" />
              </Group>
            )}
          </Fact>
        </Table.Tbody>
      </Table>
      {firstBad.runId !== null && lastGood.runId !== null && (
        <Anchor component={Link} to={compareAddress(team, lastGood.runId, firstBad.runId)} size="sm">
          Compare the two runs
        </Anchor>
      )}
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row" fw={400} c="dimmed" w={120} style={{ whiteSpace: 'nowrap' }}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

function RunLink({ team, runId, commit }: { team: string; runId: string | null; commit: string | null }) {
  const name = commit === null ? 'run without a commit' : `run of ${commit.slice(0, 10)}`;
  if (runId === null) return `${name}, which was deleted`;
  return (
    <Anchor component={Link} to={reportAddress(team, runId)} size="sm">
      {name}
    </Anchor>
  );
}
