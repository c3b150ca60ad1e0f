import { Badge, Button, Table, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatNs } from '../../../src/presentation/quantity';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { WideTable } from '../states/wide-table';
import { formatChange } from './change-words';
import { type Explanation } from './explanation';
import { RankChanges } from './rank-changes';

type Named = Explanation['kernels'][number];

const KINDS = [
  ['kernelClasses', 'Kinds of kernels'],
  ['kernels', 'Kernels'],
  ['ops', 'Operators'],
  ['collectives', 'Collectives'],
] as const;
const STATUSES: Readonly<Record<Named['status'], { label: string; color: string }>> = {
  added: { label: 'new', color: 'red' },
  slower: { label: 'slower', color: 'orange' },
  gone: { label: 'gone', color: 'blue' },
  faster: { label: 'faster', color: 'teal' },
  unknown: { label: 'not told', color: 'gray' },
};
const FIRST_ROWS = 8;

/** What the device and the ranks did differently; which of it is shown is in the address. */
export function WorkChanges({ explanation }: { explanation: Explanation }) {
  const [parameters, setParameters] = useSearchParams();
  const lists = KINDS.filter(([kind]) => explanation[kind].length > 0);
  const hasRanks = explanation.ranks.length > 1;
  const kinds: string[] = [...lists.map(([kind]) => kind), ...(hasRanks ? ['ranks'] : [])];
  if (kinds.length === 0)
    return (
      <Section title="What the device did differently">
        <Text size="sm">
          No kernel, operator or collective takes another time than before: the device does the same work, and
          waits longer.
        </Text>
      </Section>
    );
  const asked = parameters.get('show');
  const shown = asked !== null && kinds.includes(asked) ? asked : kinds[0];
  const show = (kind: string | null) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      after.set('show', kind ?? kinds[0]);
      return after;
    });
  return (
    <Section
      title="What the device did differently"
      about="Times and calls of the mean step of one rank, the largest change first."
    >
      <Tabs value={shown} onChange={show} keepMounted={false}>
        <Tabs.List>
          {lists.map(([kind, label]) => (
            <Tabs.Tab key={kind} value={kind}>
              {label} ({explanation[kind].length})
            </Tabs.Tab>
          ))}
          {hasRanks && <Tabs.Tab value="ranks">Ranks ({explanation.ranks.length})</Tabs.Tab>}
        </Tabs.List>
        {lists.map(([kind, label]) => (
          <Tabs.Panel key={kind} value={kind}>
            <NamedTable label={label} rows={explanation[kind]} />
          </Tabs.Panel>
        ))}
        {hasRanks && (
          <Tabs.Panel value="ranks">
            <RankChanges explanation={explanation} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Section>
  );
}

function NamedTable({ label, rows }: { label: string; rows: readonly Named[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <WideTable label={label}>
        <Table verticalSpacing={4} fz="sm" miw={620}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Is now</Table.Th>
              <Table.Th ta="right">Before</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
              <Table.Th ta="right">Calls</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr key={row.name}>
                <Table.Th scope="row" fw={400} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {row.name}
                </Table.Th>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Badge color={STATUSES[row.status].color}>{STATUSES[row.status].label}</Badge>
                </Table.Td>
                <FigureCell>{row.beforeNs === null ? '–' : formatNs(row.beforeNs)}</FigureCell>
                <FigureCell>{row.afterNs === null ? '–' : formatNs(row.afterNs)}</FigureCell>
                <FigureCell>{formatChange(row.changeNs)}</FigureCell>
                <FigureCell>{calls(row)}</FigureCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      {rows.length > shown.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
          Show all {rows.length}
        </Button>
      )}
    </>
  );
}

function calls({ beforeCalls, afterCalls }: Named): string {
  const [before, after] = [beforeCalls, afterCalls].map((n) => (n === null ? '–' : String(Math.round(n))));
  return before === after ? after : `${before} → ${after}`;
}
