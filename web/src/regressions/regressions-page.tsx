import { Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { CursorPages } from '../filters/cursor-pages';
import { useKnownNames } from '../runs/use-known-names';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { NoRegressions } from './no-regressions';
import { usePeople } from './people';
import { RegressionFilters } from './regression-filters';
import { RegressionsTable } from './regressions-table';
import { useRegressionFilters } from './use-regression-filters';

/** So that what others do, and what new runs show, appears. */
const ASK_EVERY_MS = 30_000;

/** The inbox of a team: what got slower and is not resolved, and with other filters the history of it. */
export function RegressionsPage() {
  useTitle('Regressions');
  const { team = '' } = useParams();
  const filters = useRegressionFilters();
  const { query } = filters;
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [team, 'regressions', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/regressions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ASK_EVERY_MS,
  });
  const known = useKnownNames(team);
  const { people } = usePeople(team);
  const count = data?.items.length ?? 0;

  return (
    <Stack>
      <Title order={1} size="h2">
        Regressions
      </Title>
      <RegressionFilters filters={filters} known={known} people={people} />
      {error && <ProblemAlert error={error} retry={refetch} />}
      {isPending && <Loading what="Loading the regressions" />}
      {data && count === 0 && <NoRegressions team={team} filters={filters} />}
      {data && count > 0 && (
        <>
          <RegressionsTable team={team} regressions={data.items} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">
              {isPlaceholderData
                ? 'Loading …'
                : `${count} ${count === 1 ? 'regression' : 'regressions'} on this page, the newest first`}
            </Text>
            <CursorPages
              cursor={filters.cursor}
              next={data.nextCursor}
              go={(cursor) => filters.change({ cursor })}
            />
          </Group>
        </>
      )}
    </Stack>
  );
}
