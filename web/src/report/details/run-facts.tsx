import { Code, Stack, Table, Text } from '@mantine/core';
import { optionSection } from '../../../../src/presentation/advice-sections';
import { ReportPart } from '../report-part';
import { type ShownReport } from '../report-query';
import { Section } from '../section';
import { SectionTable } from '../section-table';
import { type DetailProps } from './detail-props';

/** What the run says of itself, which analysis this is, and the options that the training uses. */
export function RunFacts({ of, shown, run }: DetailProps) {
  return (
    <Stack>
      <Metadata metadata={shown.metadata ?? {}} />
      <Text size="sm" c="dimmed">
        Analysis {shown.generation}, {new Date(shown.analyzedAt).toLocaleString()}. Run <Code>{run.id}</Code>
      </Text>
      <ReportPart of={of} fields={['advice']}>
        {({ advice }) => advice && <SectionTable section={optionSection(advice)} />}
      </ReportPart>
    </Stack>
  );
}

function Metadata({ metadata }: { metadata: NonNullable<ShownReport['metadata']> }) {
  const facts = Object.entries(metadata).sort(([a], [b]) => a.localeCompare(b));
  return (
    <Section title="What the run says of itself">
      {facts.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing: there is no meta.rank&lt;N&gt;.json among the files.
        </Text>
      )}
      <Table verticalSpacing={2} fz="sm" maw={720}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} c="dimmed" w="40%" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
