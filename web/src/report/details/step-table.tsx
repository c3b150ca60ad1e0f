import { Table } from '@mantine/core';
import { formatNs } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { Paged } from '../paged';
import { type Ranks } from '../report-query';
import { type StepPart } from '../step-parts';
import { WideTable } from '../../states/wide-table';

interface Props {
  rows: readonly { rank: number; step: Ranks[number]['steps'][number] }[];
  parts: readonly StepPart[];
}

/** The figures of the chart. */
export function StepTable({ rows, parts }: Props) {
  return (
    <Paged rows={rows} what="steps" key={rows.length}>
      {(shown) => (
        <WideTable label="Steps">
          <Table verticalSpacing={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Rank</Table.Th>
                <Table.Th>Step</Table.Th>
                <Table.Th ta="right">Wall time</Table.Th>
                {parts.map(({ label }) => (
                  <Table.Th key={label} ta="right">
                    {label}
                  </Table.Th>
                ))}
                <Table.Th>Left out of means</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ rank, step }) => (
                <Table.Tr key={`${rank}/${step.index}`}>
                  <Table.Td>{rank}</Table.Td>
                  <Table.Td>{step.index}</Table.Td>
                  <FigureCell>{formatNs(step.wallNs)}</FigureCell>
                  {parts.map(({ label, ns }) => (
                    <FigureCell key={label}>{formatNs(ns(step))}</FigureCell>
                  ))}
                  <Table.Td>{step.excluded?.replaceAll('-', ' ')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
    </Paged>
  );
}
