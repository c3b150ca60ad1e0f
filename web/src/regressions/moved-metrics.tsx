import { Table } from '@mantine/core';
import { formatFigure } from '../../../src/presentation/quantity';
import { formatChangeRatio, metricName } from '../explanation/change-words';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { WideTable } from '../states/wide-table';
import { type Regression } from './regression-query';

/** All metrics that moved with it; one slow-down is one regression. */
export function MovedMetrics({ metrics }: { metrics: Regression['metrics'] }) {
  return (
    <Section title={metrics.length === 1 ? 'What moved' : `${metrics.length} metrics moved together`}>
      <WideTable label="Metrics that moved">
        <Table verticalSpacing={4} fz="sm" miw={360} maw={720}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th ta="right">Before</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {metrics.map(({ metricId, unit, before, after, changeRatio }) => (
              <Table.Tr key={metricId}>
                <Table.Th scope="row" fw={400}>
                  {metricName(metricId)}
                </Table.Th>
                <FigureCell>{formatFigure({ value: before, unit })}</FigureCell>
                <FigureCell>{formatFigure({ value: after, unit })}</FigureCell>
                <FigureCell>{formatChangeRatio(changeRatio) || '–'}</FigureCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}
