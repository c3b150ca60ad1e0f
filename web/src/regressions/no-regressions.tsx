import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { Command } from '../states/copyable';
import { type useRegressionFilters } from './use-regression-filters';

/** Commits of a series before a change can be told from noise; docs/regressions.md. */
const COMMITS_FOR_A_VERDICT = 8;

interface Props {
  team: string;
  filters: ReturnType<typeof useRegressionFilters>;
}

/** Why there is nothing to see: filters, nothing that got slower, or too few runs to tell. */
export function NoRegressions({ team, filters }: Props) {
  const { data } = useQuery({
    queryKey: [team, 'series', 'longest'],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/series', { params: { query: { limit: 200 } }, signal })),
    select: ({ items }) => Math.max(0, ...items.map(({ runs }) => runs)),
  });
  if (filters.isFiltered) {
    return (
      <Stack align="center" py="xl">
        <Text>No regression matches all of these filters.</Text>
        <Button variant="default" onClick={filters.clear}>
          Show all that are not resolved
        </Button>
      </Stack>
    );
  }
  if (data !== undefined && data > COMMITS_FOR_A_VERDICT) {
    return (
      <Paper withBorder p="lg">
        <Stack gap="xs">
          <Title order={2} size="h4">
            Nothing got slower
          </Title>
          <Text size="sm">
            Every new run is compared with those before it. What gets slower and stays so appears here, with
            the commit since when, and where the time went.
          </Text>
          <Group>
            <Button size="xs" variant="default" onClick={() => filters.change({ state: 'resolved' })}>
              Show what is resolved
            </Button>
          </Group>
        </Stack>
      </Paper>
    );
  }
  return <TooFewRuns longest={data ?? 0} />;
}

function TooFewRuns({ longest }: { longest: number }) {
  const upload =
    'stallscope upload trace.pt.trace.json.gz --model mine --cluster here --branch main --commit "$(git rev-parse HEAD)"';
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Too few runs to tell
        </Title>
        <Text size="sm">
          A change is told from noise once a model has been run at {COMMITS_FOR_A_VERDICT} commits on the same
          cluster, under the same conditions; the second or third run that is slower opens a regression.{' '}
          {longest === 0 ? 'There is no run yet.' : `The longest series of this team has ${longest} runs.`}{' '}
          Let the nightly job send each of its runs:
        </Text>
        <Command text={upload} />
        <Text size="sm" c="dimmed">
          Say the model, the cluster and the conditions alike in every run; the commit says since when.
        </Text>
      </Stack>
    </Paper>
  );
}
