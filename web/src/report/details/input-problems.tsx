import { Badge, Table, Text } from '@mantine/core';
import { FigureCell } from '../figure-cell';
import { type ShownReport } from '../report-query';
import { Section } from '../section';

const COLORS = { fatal: 'red', 'data-loss': 'orange', repaired: 'yellow', info: 'gray' } as const;
const ORDER = Object.keys(COLORS);

/** What was wrong with the recordings, the worst first, and what to do about it. */
export function InputProblems({ problems }: { problems: ShownReport['problems'] }) {
  if (problems.length === 0)
    return (
      <Section title="Quality of the recordings">
        <Text size="sm">Nothing was wrong with the files.</Text>
      </Section>
    );
  const sorted = [...problems].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return (
    <Section title="Quality of the recordings">
      <Table verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Severity</Table.Th>
            <Table.Th ta="right">Count</Table.Th>
            <Table.Th>What it means</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map(({ kind, severity, count, advice, paths, example }) => (
            <Table.Tr key={kind}>
              <Table.Td>
                <Badge color={COLORS[severity]}>{severity.replace('-', ' ')}</Badge>
              </Table.Td>
              <FigureCell>{count}</FigureCell>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {advice}
                <Text size="xs" c="dimmed">
                  {[inFiles(paths), example && `for example: ${example}`].filter(Boolean).join('; ')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/** Files that are named; the report as JSON has all. */
const MOST_PATHS = 3;

function inFiles(paths: readonly string[]): string {
  const named = paths.filter(Boolean);
  const more = named.length - MOST_PATHS;
  return named.slice(0, MOST_PATHS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
