import { Table } from '@mantine/core';
import { useMemo } from 'react';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { LazyBars } from '../lazy-bars';
import { Paged } from '../paged';
import { type Ranks } from '../report-query';
import { Section } from '../section';
import { IDLE_PARTS } from '../step-parts';
import { WideTable } from '../../states/wide-table';

/** The idle time of the mean step of each rank by cause: ranks that differ are what to look at. */
export function IdleByRank({ ranks }: { ranks: Ranks }) {
  const rows = useMemo(
    () => ranks.flatMap(({ rank, meanStep }) => (meanStep ? [{ rank, step: meanStep }] : [])),
    [ranks],
  );
  const parts = useMemo(() => IDLE_PARTS.filter(({ ns }) => rows.some(({ step }) => ns(step) > 0)), [rows]);
  const bars = useMemo(
    () => rows.map(({ rank, step }) => ({ name: `rank ${rank}`, partsNs: parts.map(({ ns }) => ns(step)) })),
    [parts, rows],
  );
  if (rows.length === 0) return null;
  return (
    <Section title="By rank, in its mean step" about="As traced.">
      <LazyBars label="Idle time of the mean step by cause, for each rank" parts={parts} bars={bars} />
      <Paged rows={rows} what="ranks" perPage={32}>
        {(shown) => (
          <WideTable label="Idle time by rank">
            <Table verticalSpacing={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Rank</Table.Th>
                  <Table.Th ta="right">Idle</Table.Th>
                  <Table.Th ta="right">of its step</Table.Th>
                  {parts.map(({ label }) => (
                    <Table.Th key={label} ta="right">
                      {label}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(({ rank, step }) => (
                  <Table.Tr key={rank}>
                    <Table.Td>{rank}</Table.Td>
                    <FigureCell>{formatNs(step.idleNs)}</FigureCell>
                    <FigureCell>
                      {step.wallNs > 0 && formatRatio(step.idleNs / step.wallNs)} of {formatNs(step.wallNs)}
                    </FigureCell>
                    {parts.map(({ label, ns }) => (
                      <FigureCell key={label}>{formatNs(ns(step))}</FigureCell>
                    ))}
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
