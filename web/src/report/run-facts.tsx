import { Code, SimpleGrid, Table, Text } from '@mantine/core';
import { formatBytes } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { FigureCell } from './figure-cell';
import { type ShownReport } from './report-query';
import { Section } from './section';

/** The files that were analysed, and what they and the client said about the run. */
export function RunFacts({ report, run }: { report: ShownReport; run: Schemas['Run'] }) {
  const metadata = Object.entries(report.metadata ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title="Files">
        <Table verticalSpacing={2} fz="sm">
          <Table.Tbody>
            {run.artifacts.slice(0, 50).map(({ id, name, sizeBytes, state }) => (
              <Table.Tr key={id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <FigureCell>{formatBytes(sizeBytes)}</FigureCell>
                <Table.Td>{state === 'verified' ? '' : state}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {run.artifactCount > 50 && <Text size="sm">{run.artifactCount - 50} more files are not shown.</Text>}
        <Text size="xs" c="dimmed" mt="xs">
          Analysis {report.generation}, {new Date(report.analyzedAt).toLocaleString()}. Run{' '}
          <Code>{run.id}</Code>
        </Text>
      </Section>
      {metadata.length > 0 && (
        <Section title="What the run says of itself">
          <Table verticalSpacing={2} fz="sm">
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
    </SimpleGrid>
  );
}
