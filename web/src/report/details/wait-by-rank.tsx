import { Badge, Table } from '@mantine/core';
import { useMemo } from 'react';
import { type Report } from '../../../../src/presentation/present-report';
import { formatNs } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { LazyBars } from '../lazy-bars';
import { Paged } from '../paged';
import { Section } from '../section';
import { WideTable } from '../../states/wide-table';

const PARTS = [
  { label: 'transfer', color: '#4c6ef5' },
  { label: 'waiting for other ranks', color: '#f76707' },
];
const ABOUT =
  'Time of the mean step in collectives that no compute covers: bytes move, or the rank waits for one that has not come yet. The rank that waits least is the one that the others wait for.';

interface Props {
  perRank: NonNullable<Report['communication']>['perRank'];
  straggler: number | null;
}

/** Waiting against transfer, rank by rank. */
export function WaitByRank({ perRank, straggler }: Props) {
  const bars = useMemo(
    () =>
      perRank.map(({ rank, transferNs, waitNs }) => ({
        name: `rank ${rank}`,
        partsNs: [transferNs, waitNs],
      })),
    [perRank],
  );
  return (
    <Section title="Wait against transfer, by rank" about={ABOUT}>
      <LazyBars label="Exposed transfer and waiting of each rank" parts={PARTS} bars={bars} />
      <Paged rows={perRank} what="ranks" perPage={32}>
        {(shown) => (
          <WideTable label="Wait and transfer by rank">
            <Table verticalSpacing={2} fz="sm" maw={720} style={{ whiteSpace: 'nowrap' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Rank</Table.Th>
                  <Table.Th ta="right">Transfer</Table.Th>
                  <Table.Th ta="right">Waiting</Table.Th>
                  <Table.Th ta="right">Later than the first</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(({ rank, transferNs, waitNs, latenessNs }) => (
                  <Table.Tr key={rank}>
                    <Table.Td>
                      {rank} {rank === straggler && <Badge color="orange">late</Badge>}
                    </Table.Td>
                    <FigureCell>{formatNs(transferNs)}</FigureCell>
                    <FigureCell>{formatNs(waitNs)}</FigureCell>
                    <FigureCell>{formatNs(latenessNs)}</FigureCell>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </Paged>
    </Section>
  );
}
