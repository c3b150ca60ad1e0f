import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { reportAddress } from '../session/addresses';
import { Command } from '../states/copyable';
import { type Question } from './trend-question';

/** Nothing was ever sent, or nothing of it could be compared. */
export function NoSeries() {
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          There is no history yet
        </Title>
        <Text size="sm">
          Every run that is sent becomes a point as soon as it is analysed. Runs are of one line when model,
          cluster, GPU, world size, precision and batch are alike.
        </Text>
        <Command
          text={`stallscope upload ./my-run --server ${location.origin} --model mine --cluster here --branch main --commit "$(git rev-parse HEAD)"`}
        />
        <Text size="sm" c="dimmed">
          The API token in STALLSCOPE_TOKEN needs the scope runs:write.
        </Text>
      </Stack>
    </Paper>
  );
}

interface Props {
  team: string;
  question: Question;
  metric: Schemas['MetricEntry'] | undefined;
}

/** There is history, and no value for this question: because of its conditions, or because the metric could not be measured. */
export function NoPoints({ team, question, metric }: Props) {
  const { query, clear, isFiltered } = question;
  const { data: unmeasured } = useQuery({
    queryKey: [team, 'unmeasured', query],
    queryFn: ({ signal }) => findUnmeasured(team, query, signal),
    enabled: metric !== undefined,
  });
  if (unmeasured && metric)
    return (
      <Paper withBorder p="lg">
        <Stack gap="xs">
          <Title order={2} size="h4">
            {metric.name} could not be measured
          </Title>
          <Text size="sm">In the latest of these runs: {unmeasured.reason}.</Text>
          <Text size="sm">
            <Anchor component={Link} to={reportAddress(team, unmeasured.runId)} inherit>
              Its report
            </Anchor>{' '}
            says what to record for it.
          </Text>
        </Stack>
      </Paper>
    );
  return (
    <Stack align="center" py="xl">
      <Text>No run that matches has a value of this metric.</Text>
      {isFiltered && (
        <Button variant="default" onClick={clear}>
          Drop the filters
        </Button>
      )}
    </Stack>
  );
}

/** Why the latest run that matches has no value of the metric; null when there is no such run, or it has one. */
async function findUnmeasured(team: string, query: Question['query'], signal: AbortSignal) {
  const { model, cluster, workload, branch, tag } = query;
  const tags = tag === undefined ? {} : { tag: [tag] };
  const latest = { model, cluster, workload, branch, ...tags, state: 'done' as const, limit: 1 };
  const { items } = await unwrap(teamApi(team).GET('/v1/runs', { params: { query: latest }, signal }));
  const run = items.at(0);
  if (!run) return null;
  const parameters = { path: { id: run.id }, query: { fields: 'metrics' } };
  const report = await unwrap(teamApi(team).GET('/v1/runs/{id}/report', { params: parameters, signal }));
  const found = (report as Partial<Schemas['Report']>).metrics?.find(({ id }) => id === query.metric);
  return found?.value === null && found.reason ? { runId: run.id, reason: found.reason } : null;
}
