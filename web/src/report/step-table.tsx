import { ScrollArea, Table, Text } from '@mantine/core';
import { formatNs } from '../../../src/presentation/quantity';
import { FigureCell } from './figure-cell';
import { type ShownReport } from './report-query';
import { STEP_PARTS } from './step-parts';

/** Rows that a browser draws without a pause; the report as JSON has all. */
const MOST_ROWS = 200;

/** The figures of the chart; folded away until somebody asks for them. */
export function StepTable({ ranks, stepsOmitted }: { ranks: ShownReport['ranks']; stepsOmitted: number }) {
  const rows = ranks.flatMap(({ rank, steps }) => steps.map((step) => ({ rank, step })));
  const parts = STEP_PARTS.filter(({ ns }) => rows.some(({ step }) => ns(step) > 0));
  const hidden = stepsOmitted + Math.max(0, rows.length - MOST_ROWS);
  return (
    <details>
      <summary>The same as a table</summary>
      <ScrollArea viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Steps' }}>
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
            {rows.slice(0, MOST_ROWS).map(({ rank, step }) => (
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
      </ScrollArea>
      {hidden > 0 && <Text size="sm">{hidden} more steps are not shown.</Text>}
    </details>
  );
}
