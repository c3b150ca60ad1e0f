import { Anchor, Badge, Table } from '@mantine/core';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { regressionAddress } from '../session/addresses';
import { WideTable } from '../states/wide-table';
import { changeText } from './change-text';
import { clockText } from './time-text';
import { MARK_KINDS, type TrendMark } from './trend-marks';
import { type Trend } from './trend-queries';

/** Older changes are found on the page of regressions. */
const MOST_ROWS = 20;

interface Props {
  team: string;
  marks: readonly TrendMark[];
  series: Trend['series'];
  metrics: readonly Schemas['MetricEntry'][];
}

/** Where the level changed, the newest first, with links to the regressions. */
export function MarkTable({ team, marks, series, metrics }: Props) {
  if (marks.length === 0) return null;
  const ofSeries = new Map(series.map((one) => [one.id, one]));
  const hasSeveral = new Set(marks.map(({ seriesId }) => seriesId)).size > 1;
  return (
    <Section title="Where the level changed">
      <WideTable label="Changes of the level">
        <Table verticalSpacing={4} fz="sm" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Since</Table.Th>
              <Table.Th>Branch</Table.Th>
              {hasSeveral && <Table.Th>Series</Table.Th>}
              <Table.Th>Metric</Table.Th>
              <Table.Th ta="right">Before</Table.Th>
              <Table.Th ta="right">After</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
              <Table.Th>Regression</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {marks.slice(0, MOST_ROWS).map((mark, i) => (
              <Table.Tr key={i}>
                <Table.Td>
                  <Badge miw="max-content" color={MARK_KINDS[mark.kind].color}>
                    {MARK_KINDS[mark.kind].label}
                  </Badge>
                </Table.Td>
                <Table.Td>{clockText(mark.atMs)}</Table.Td>
                <Table.Td>{mark.branch ?? '–'}</Table.Td>
                {hasSeveral && <Table.Td>{seriesName(ofSeries.get(mark.seriesId))}</Table.Td>}
                <Levels team={team} mark={mark} metrics={metrics} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}

function Levels({
  team,
  mark: { kind, regression },
  metrics,
}: Pick<Props, 'team' | 'metrics'> & { mark: TrendMark }) {
  if (!regression || kind !== 'regressed')
    return (
      <>
        <Table.Td colSpan={4} />
        <Table.Td>{regression && <OpenRegression team={team} regression={regression} />}</Table.Td>
      </>
    );
  const { metricId, before, after } = regression;
  const metric = metrics.find(({ id }) => id === metricId);
  const figure = (value: number) => formatFigure({ value, unit: metric?.unit ?? '' });
  return (
    <>
      <Table.Td>{metric?.name ?? metricId}</Table.Td>
      <FigureCell>{figure(before)}</FigureCell>
      <FigureCell>{figure(after)}</FigureCell>
      <FigureCell>{changeText(regression)}</FigureCell>
      <Table.Td>
        <OpenRegression team={team} regression={regression} />
      </Table.Td>
    </>
  );
}

function OpenRegression({ team, regression }: { team: string; regression: Trend['regressions'][number] }) {
  return (
    <Anchor component={Link} to={regressionAddress(team, regression.id)} inherit>
      {regression.state === 'resolved' ? 'Resolved' : regression.state === 'open' ? 'Open' : 'Acknowledged'}
    </Anchor>
  );
}

function seriesName(series: Trend['series'][number] | undefined): string {
  return series ? [series.model, series.workload, series.cluster].filter(Boolean).join(', ') : '–';
}
