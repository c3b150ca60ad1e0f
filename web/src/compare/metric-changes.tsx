import { Badge, Table } from '@mantine/core';
import { formatFigure } from '../../../src/presentation/quantity';
import { METRIC_WORDING } from '../../../src/presentation/wording/metrics';
import { formatChangeRatio, metricName } from '../explanation/change-words';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { WideTable } from '../states/wide-table';
import { type Comparison } from './use-comparison';

type Metric = Comparison['metrics'][number];

const VERDICTS: Readonly<Record<NonNullable<Metric['verdict']>, { label: string; color: string }>> = {
  worse: { label: 'worse', color: 'red' },
  better: { label: 'better', color: 'teal' },
  changed: { label: 'changed', color: 'blue' },
  unchanged: { label: 'within the noise', color: 'gray' },
  inconclusive: { label: 'not sure', color: 'yellow' },
};

/** Every metric that a side has: medians, and whether the difference is more than noise. */
export function MetricChanges({ metrics }: { metrics: Comparison['metrics'] }) {
  const known = metrics.filter(
    ({ beforeRuns, afterRuns, before, after }) =>
      beforeRuns + afterRuns > 0 && !(before === 0 && after === 0),
  );
  if (known.length === 0) return null;
  // Between two runs without a history nothing is sure, and the headline says so.
  const isJudged = known.some(({ verdict }) => verdict !== null && verdict !== 'inconclusive');
  return (
    <Section title="All metrics" about="Medians of each side.">
      <WideTable label="Metrics">
        <Table verticalSpacing={4} fz="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th ta="right">Before</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
              {isJudged && <Table.Th>Verdict</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {known.map((metric) => (
              <MetricRow key={metric.id} metric={metric} isJudged={isJudged} />
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}

function MetricRow({ metric, isJudged }: { metric: Metric; isJudged: boolean }) {
  const { id, unit, before, after, beforeRuns, afterRuns, changeRatio, verdict } = metric;
  const figure = (value: number | null, runs: number) => {
    if (value !== null) return formatFigure({ value, unit });
    return runs > 0 ? 'measured' : 'not measured';
  };
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} title={METRIC_WORDING[id]?.description}>
        {metricName(id)}
      </Table.Th>
      <FigureCell>{figure(before, beforeRuns)}</FigureCell>
      <FigureCell>{figure(after, afterRuns)}</FigureCell>
      <FigureCell>{formatChangeRatio(changeRatio)}</FigureCell>
      {isJudged && (
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          {verdict && <Badge color={VERDICTS[verdict].color}>{VERDICTS[verdict].label}</Badge>}
        </Table.Td>
      )}
    </Table.Tr>
  );
}
