import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { formatFigure } from '../../../src/presentation/quantity';
import { runQuery } from '../report/report-query';
import { type PlottedPoint, type TrendPlot } from './trend-plot';
import { timeText } from './time-text';
import { LINE_COLORS } from './trend-colors';

/** A pointer that only passes by asks for nothing. */
const REST_MS = 150;

interface Props {
  team: string;
  plotted: PlottedPoint;
  plot: TrendPlot;
  metric: { id: string; unit: string };
}

/** What is known of a point: its value, when and of which line, and of a run its commit and how it was judged. */
export function PointCard({ team, plotted: { point, line }, plot, metric }: Props) {
  const { unit } = metric;
  const { spread, commit, runs } = point;
  const figure = (value: number) => formatFigure({ value, unit });
  return (
    <>
      <Text fw={600} className="figures">
        {figure(point.value)}
      </Text>
      {plot.lines.length > 1 && (
        <Text
          size="xs"
          style={{ overflowWrap: 'anywhere', borderLeft: `3px solid ${LINE_COLORS[line]}` }}
          pl={6}
        >
          {plot.lines[line].name}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {timeText(point)}
      </Text>
      {spread && (
        <Text size="xs" className="figures">
          Median of {runs} {runs === 1 ? 'run' : 'runs'}; {figure(spread.min)} to {figure(spread.max)}, 95 %
          up to {figure(spread.p95)}
        </Text>
      )}
      {commit !== undefined && <Commit commit={commit} runs={runs} />}
      {point.runId !== null && commit === undefined && (
        <RunLines team={team} runId={point.runId} metricId={metric.id} />
      )}
    </>
  );
}

function Commit({ commit, runs }: { commit: string | null; runs: number }) {
  return (
    <Text size="xs">
      {commit === null ? 'No commit was told' : `Commit ${commit.slice(0, 10)}`}
      {runs > 1 && `, median of ${runs} runs`}
    </Text>
  );
}

/** Runs come without their commits, which are asked for where the pointer rests. */
function RunLines({ team, runId, metricId }: { team: string; runId: string; metricId: string }) {
  const [restedOn] = useDebouncedValue(runId, REST_MS);
  const isAt = restedOn === runId;
  const { data: run } = useQuery({
    ...runQuery(team, runId),
    enabled: isAt,
    refetchInterval: false,
    staleTime: Infinity,
  });
  if (!run) return <Text size="xs">…</Text>;
  const verdict = run.trend?.find((one) => one.metricId === metricId);
  return (
    <>
      <Commit commit={run.commit} runs={1} />
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {[run.branch, ...run.tags.slice(0, 3)].filter(Boolean).join(', ')}
      </Text>
      {verdict && verdict.verdict !== 'inconclusive' && (
        <Text size="xs" fw={500}>
          {VERDICT_WORDS[verdict.verdict]}
        </Text>
      )}
      <Text size="xs" c="dimmed" ff="monospace">
        Run {runId.slice(0, 13)}
      </Text>
    </>
  );
}

const VERDICT_WORDS = {
  regressed: 'Worse than the runs before',
  improved: 'Better than the runs before',
  changed: 'Other than the runs before',
  unchanged: 'As the runs before',
} as const;
