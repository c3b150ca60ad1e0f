import { Code, Table, Text } from '@mantine/core';
import { type Schemas } from '../api/client';
import { type ShownReport } from './report-query';
import { Section } from './section';

/** What the files and the client said about the run, and which analysis this is. */
export function RunFacts({ report, run }: { report: ShownReport; run: Schemas['Run'] }) {
  const metadata = Object.entries(report.metadata ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return (
    <div>
      {metadata.length > 0 && (
        <Section title="What the run says of itself">
          <Table verticalSpacing={2} fz="sm" maw={640}>
            <Table.Tbody>
              {metadata.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400} c="dimmed">
                    {name}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{String(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Section>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        Analysis {report.generation}, {new Date(report.analyzedAt).toLocaleString()}. Run{' '}
        <Code>{run.id}</Code>
      </Text>
    </div>
  );
}
