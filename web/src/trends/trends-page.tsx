import { Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { ProblemError } from '../api/problem';
import { latestSeriesQuery, useKnownNames } from '../runs/use-known-names';
import { trendsAddress } from '../session/addresses';
import { NotFoundPage } from '../shell/not-found-page';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { NoPoints, NoSeries } from './no-trend';
import { TrendBody } from './trend-body';
import { TrendFilters } from './trend-filters';
import { metricsQuery, seriesQuery, trendQuery } from './trend-queries';
import { useTrendQuestion } from './trend-question';

const BETTER = {
  'lower-is-better': 'lower is better',
  'higher-is-better': 'higher is better',
  neutral: 'neither way is better',
} as const;

/** One metric of many runs, over time or commits. */
export function TrendsPage() {
  const { team = '' } = useParams();
  const question = useTrendQuestion();
  const { query, hasScope, get } = question;
  const seriesId = get('series');
  const latest = useQuery(latestSeriesQuery(team));
  const metrics = useQuery(metricsQuery(team));
  const series = useQuery({ ...seriesQuery(team, seriesId), enabled: seriesId !== '' });
  const trend = useQuery({ ...trendQuery(team, query), enabled: hasScope });
  const known = useKnownNames(team);
  const metric = metrics.data?.find(({ id }) => id === query.metric);
  useTitle(metric ? `${metric.name} over time` : 'Trends');

  const isGone = series.error instanceof ProblemError && [400, 404].includes(series.error.problem.status);
  if (isGone) return <NotFoundPage />;
  // Models have nothing to do with each other: without a choice the page shows the one that ran last.
  const [first] = latest.data?.items ?? [];
  if (!hasScope && first)
    return <Navigate to={trendsAddress(team, { metric: query.metric, model: first.model })} replace />;

  const error = trend.error ?? metrics.error ?? latest.error;
  return (
    <Stack>
      <header>
        <Title order={1} size="h2">
          {metric?.name ?? 'Trends'}
          {metric && (
            <Badge ml="sm" variant="default" fw={400} size="lg">
              {BETTER[metric.direction]}
            </Badge>
          )}
        </Title>
        <Text size="sm" c="dimmed">
          {metric?.description}
        </Text>
      </header>
      <TrendFilters
        question={question}
        metrics={metrics.data ?? []}
        known={{
          ...known,
          branch: series.data?.branches.filter((branch) => branch !== null),
          gpu: gpusOf(latest.data?.items ?? []),
        }}
      />
      {error && (
        <ProblemAlert error={error} retry={() => Promise.all([trend.refetch(), metrics.refetch()])} />
      )}
      {latest.data?.items.length === 0 && !hasScope && <NoSeries />}
      {!error && trend.isPending && (hasScope || latest.isPending) && <Loading what="Loading the trend" />}
      {!trend.error && trend.data?.lines.length === 0 && (
        <NoPoints team={team} question={question} metric={metric} />
      )}
      {!trend.error && trend.data && trend.data.lines.length > 0 && (
        <TrendBody
          team={team}
          question={question}
          trend={trend.data}
          metrics={metrics.data ?? []}
          isOld={trend.isPlaceholderData}
        />
      )}
    </Stack>
  );
}

function gpusOf(series: readonly { conditions: readonly { name: string; value: string }[] }[]): string[] {
  const gpus = series.flatMap(({ conditions }) => conditions.filter(({ name }) => name === 'gpu'));
  return [...new Set(gpus.map(({ value }) => value))].sort();
}
