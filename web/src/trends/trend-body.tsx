import { Center, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatRatio } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { reportAddress } from '../session/addresses';
import { Loading } from '../states/loading';
import { baselineLevels } from './baseline-levels';
import { ComparisonBar } from './comparison-bar';
import { LineLegend } from './line-legend';
import { MarkTable } from './mark-table';
import { CHART_HEIGHT_PX } from './chart-height';
import { PointCard } from './point-card';
import { PointTable, rangeOfPoint } from './point-table';
import { linesOf } from './trend-lines';
import { marksOf } from './trend-marks';
import { plotOf, type PlottedPoint } from './trend-plot';
import { type Trend } from './trend-queries';
import { type Question } from './trend-question';

// The chart library is larger than all else together.
const TrendChart = lazy(() => import('./trend-chart').then((m) => ({ default: m.TrendChart })));

interface Props {
  team: string;
  question: Question;
  trend: Trend;
  metrics: readonly Schemas['MetricEntry'][];
  /** Whether another answer is on its way. */
  isOld: boolean;
}

/** The chart of an answer, what was chosen in it, and its figures. */
export function TrendBody({ team, question, trend, metrics, isOld }: Props) {
  const navigate = useNavigate();
  const { ranges, choose, showOnly } = question;
  const { metric, resolution, splitBy, noiseFloorRatio, series } = trend;
  const drawn = useMemo(() => {
    const lines = linesOf(trend);
    const marks = marksOf(trend);
    const plot = plotOf(lines, resolution === 'commits');
    const judged = { noiseFloorRatio, isByBranch: splitBy === 'branch' };
    const levels =
      plot.lines.length > 3 ? [] : plot.lines.flatMap((line) => baselineLevels(line, marks, judged));
    return { lines, plot, marks, levels, unit: metric.unit };
  }, [trend, resolution, splitBy, noiseFloorRatio, metric.unit]);
  const { plot, marks, levels, unit } = drawn;
  const name = metrics.find(({ id }) => id === metric.id)?.name ?? metric.id;

  const open = ({ point }: PlottedPoint) => {
    if (point.runId !== null) void navigate(reportAddress(team, point.runId));
    else showOnly(rangeOfPoint(point));
  };

  return (
    <Stack gap="sm" style={{ opacity: isOld ? 0.6 : 1 }} aria-busy={isOld}>
      <Resolution trend={trend} runs={plot.points.reduce((sum, { point }) => sum + point.runs, 0)} />
      <LineLegend lines={drawn.lines} />
      <Suspense fallback={<ChartOnItsWay />}>
        <TrendChart
          label={`${name}, ${plot.lines.length === 1 ? 'one line' : `${plot.lines.length} lines`} with ${plot.points.length} points`}
          drawn={drawn}
          team={team}
          plot={plot}
          marks={marks}
          ranges={ranges}
          describe={(plotted) => <PointCard team={team} plotted={plotted} plot={plot} metric={metric} />}
          open={open}
          choose={choose}
        />
      </Suspense>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {resolution === 'days' ? 'Click on a day to see its runs.' : 'Click on a point to open its run.'}{' '}
          Drag over two ranges, or click on two points with Shift, to compare them.
        </Text>
        {levels.length > 0 && (
          <Text size="xs" c="dimmed">
            Grey band: the baseline, ± {formatRatio(noiseFloorRatio)} that count as noise
          </Text>
        )}
      </Group>
      <ComparisonBar team={team} question={question} plot={plot} unit={unit} />
      <PointTable team={team} plot={plot} unit={unit} choose={choose} showOnly={showOnly} />
      <MarkTable team={team} marks={marks} series={series} metrics={metrics} />
    </Stack>
  );
}

/** Of the height of the chart, so that nothing jumps. */
function ChartOnItsWay() {
  return (
    <Center h={CHART_HEIGHT_PX}>
      <Loading what="Loading the chart" />
    </Center>
  );
}

/** What a point is, and why. */
function Resolution({ trend: { resolution, resolutionReason }, runs }: { trend: Trend; runs: number }) {
  const count = `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}`;
  const texts = {
    runs: runs === 1 ? 'One run' : `${count}, each a point`,
    commits: `${count}; a point is a commit, with the median of its runs`,
    days: `${count}; a point is a day: the median, in a band from the minimum to the 95th percentile`,
  };
  return (
    <Text size="sm" aria-live="polite">
      {texts[resolution]}
      {resolutionReason === 'more-points-than-limit' &&
        '. There are more than fit: choose a shorter time, or every point.'}
    </Text>
  );
}
