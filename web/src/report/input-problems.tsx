import { Badge, Table } from '@mantine/core';
import { FigureCell } from './figure-cell';
import { type ShownReport } from './report-query';
import { Section } from './section';

const COLORS = { fatal: 'red', 'data-loss': 'orange', repaired: 'yellow', info: 'gray' } as const;
const ORDER = Object.keys(COLORS);

/** What was wrong with the recordings, the worst first, and what to do about it. */
export function InputProblems({ problems }: { problems: ShownReport['problems'] }) {
  if (problems.length === 0) return null;
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
          {sorted.map(({ kind, severity, count, advice, paths }) => (
            <Table.Tr key={kind} title={paths.join('\n')}>
              <Table.Td>
                <Badge color={COLORS[severity]}>{severity.replace('-', ' ')}</Badge>
              </Table.Td>
              <FigureCell>{count}</FigureCell>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{advice}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
