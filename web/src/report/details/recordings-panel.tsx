import { Stack, Table, Text } from '@mantine/core';
import { disagreementSection } from '../../../../src/presentation/evidence-sections';
import { RULE_DESCRIPTIONS } from '../../../../src/presentation/wording/rules';
import { type ReportOf, type ShownReport } from '../report-query';
import { Section } from '../section';
import { SectionTable } from '../section-table';
import { InputProblems } from './input-problems';
import { RecordNext } from './record-next';

/** How far the recordings carry: what is wrong with them, what they could not tell, and what to record next. */
export function RecordingsPanel({ of, shown }: { of: ReportOf; shown: ShownReport }) {
  return (
    <Stack>
      <InputProblems problems={shown.problems} />
      <SectionTable section={disagreementSection(shown)} />
      <Unknown outcomes={shown.ruleOutcomes} />
      <RecordNext of={of} />
    </Stack>
  );
}

/** Rules that had too little to go by. */
function Unknown({ outcomes }: { outcomes: ShownReport['ruleOutcomes'] }) {
  const unknown = outcomes.filter(({ outcome }) => outcome === 'not-measurable' || outcome === 'failed');
  if (unknown.length === 0) return null;
  return (
    <Section title="What could not be checked">
      <Table verticalSpacing={4} fz="sm">
        <Table.Tbody>
          {unknown.map(({ rule, reason }) => (
            <Table.Tr key={rule}>
              <Table.Th scope="row" fw={400} w="32%">
                {rule.replaceAll('-', ' ')}
                <Text size="xs" c="dimmed">
                  {RULE_DESCRIPTIONS[rule]}
                </Text>
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
