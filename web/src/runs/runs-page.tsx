import { Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { CursorPages } from '../filters/cursor-pages';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { CompareSelected } from './compare-selected';
import { NoRuns } from './no-runs';
import { isUnderWay } from './run-badge';
import { RunFilters } from './run-filters';
import { RunsTable } from './runs-table';
import { useKnownNames } from './use-known-names';
import { useRunFilters } from './use-run-filters';
import { useRunSelection } from './use-run-selection';
import { useStepTimeTrends } from './use-step-time-trends';

/** While a run of the page is under way, the page is asked for again this often. */
const LIVE_EVERY_MS = 2_000;
/** Otherwise, so that new runs appear. */
const IDLE_EVERY_MS = 30_000;

/** The runs of a team, the newest first. */
export function RunsPage() {
  useTitle('Runs');
  const { team = '' } = useParams();
  const filters = useRunFilters();
  const { query } = filters;
  const runs = useQuery({
    queryKey: [team, 'runs', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/runs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? LIVE_EVERY_MS : IDLE_EVERY_MS),
  });
  const trends = useStepTimeTrends(team, { model: query.model, cluster: query.cluster });
  const known = useKnownNames(team);
  const selection = useRunSelection();

  return (
    <Stack>
      <Title order={1} size="h2">
        Runs
      </Title>
      <RunFilters filters={filters} known={known} />
      {runs.error && <ProblemAlert error={runs.error} retry={() => runs.refetch()} />}
      {runs.isPending && <Loading what="Loading the runs" />}
      {runs.data?.items.length === 0 && <NoRuns isFiltered={filters.isFiltered} clear={filters.clear} />}
      {runs.data && runs.data.items.length > 0 && (
        <>
          <CompareSelected team={team} selection={selection} />
          <RunsTable team={team} runs={runs.data.items} trends={trends} selection={selection} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">
              {runs.isPlaceholderData
                ? 'Loading …'
                : `${runs.data.items.length} runs on this page, the newest first`}
            </Text>
            <CursorPages
              cursor={filters.cursor}
              next={runs.data.nextCursor}
              go={(cursor) => filters.change({ cursor })}
            />
          </Group>
        </>
      )}
    </Stack>
  );
}
