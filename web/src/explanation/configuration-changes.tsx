import { Badge, Table, Text } from '@mantine/core';
import { Section } from '../report/section';
import { WideTable } from '../states/wide-table';
import { type Explanation } from './explanation';

/** What was set up differently, and whether that may be why. */
export function ConfigurationChanges({ explanation }: { explanation: Explanation }) {
  const { configuration, explainedByConfiguration } = explanation;
  if (configuration.length === 0)
    return (
      <Section title="What is set up differently">
        <Text size="sm">
          Nothing that was said of the runs: configuration, software and hardware are the same before and
          after. The cause is in the code, or in what nobody told.
        </Text>
      </Section>
    );
  return (
    <Section
      title="What is set up differently"
      about={
        explainedByConfiguration
          ? 'What is marked acts on where the time went, or on everything, and may be the cause.'
          : 'None of it acts on where the time went: the cause is rather in the code.'
      }
    >
      <WideTable label="Differences of the configuration">
        <Table verticalSpacing={4} fz="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
              <Table.Th>Cause</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {configuration.map(({ name, kind, before, after, mayExplain }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={mayExplain ? 600 : 400} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Th>
                <Table.Td>{kind}</Table.Td>
                <Value text={before} />
                <Value text={after} />
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  {mayExplain ? <Badge color="orange">may explain it</Badge> : 'unlikely'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}

function Value({ text }: { text: string | null }) {
  return (
    <Table.Td ff={text === null ? undefined : 'monospace'} style={{ overflowWrap: 'anywhere' }}>
      {text ?? (
        <Text span inherit c="dimmed">
          not said
        </Text>
      )}
    </Table.Td>
  );
}
