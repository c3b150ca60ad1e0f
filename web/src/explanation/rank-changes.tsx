import { Table, Text } from '@mantine/core';
import { formatNs } from '../../../src/presentation/quantity';
import { FigureCell } from '../report/figure-cell';
import { WideTable } from '../states/wide-table';
import { formatChange } from './change-words';
import { type Explanation } from './explanation';

/** Mean steps of the ranks, and which one the others wait for. */
export function RankChanges({ explanation: { ranks, stragglerRank } }: { explanation: Explanation }) {
  const lateness = (ns: number | null) => (ns === null ? '–' : formatNs(ns));
  return (
    <>
      <Text size="sm" my="xs">
        {whoIsLate(stragglerRank)}
      </Text>
      <WideTable label="Ranks">
        <Table verticalSpacing={4} fz="sm" miw={620}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rank</Table.Th>
              <Table.Th ta="right">Step before</Table.Th>
              <Table.Th ta="right">Step after</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
              <Table.Th ta="right">Late before</Table.Th>
              <Table.Th ta="right">Late after</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ranks.map((row) => (
              <Table.Tr key={row.rank}>
                <Table.Th scope="row" fw={row.rank === stragglerRank.after ? 600 : 400}>
                  {row.rank}
                </Table.Th>
                <FigureCell>{formatNs(row.beforeNs)}</FigureCell>
                <FigureCell>{formatNs(row.afterNs)}</FigureCell>
                <FigureCell>{formatChange(row.changeNs)}</FigureCell>
                <FigureCell>{lateness(row.beforeLatenessNs)}</FigureCell>
                <FigureCell>{lateness(row.afterLatenessNs)}</FigureCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </>
  );
}

function whoIsLate({ before, after }: Explanation['stragglerRank']): string {
  if (after === null) {
    return before === null
      ? 'No rank keeps the others waiting, neither before nor after.'
      : `Rank ${before} kept the others waiting; no rank does now.`;
  }
  if (before === after) return `Rank ${after} keeps the others waiting, as before.`;
  return before === null
    ? `Rank ${after} keeps the others waiting now; before, no rank did.`
    : `Rank ${after} keeps the others waiting now; before, it was rank ${before}.`;
}
