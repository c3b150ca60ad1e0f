import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ProblemError } from '../api/problem';
import { formatChangeRatio, metricName, movement } from '../explanation/change-words';
import { When } from '../runs/when';
import { regressionsAddress } from '../session/addresses';
import { NotFoundPage } from '../shell/not-found-page';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { Acts } from './acts/acts';
import { answer } from '../explanation/answer';
import { RegressionBadges } from './regression-badges';
import { RegressionBody } from './regression-body';
import { type Regression, regressionQuery } from './regression-query';
import { RESOLUTIONS } from './states';

/** One regression: what got worse, since when and why, and what to do with it. */
export function RegressionPage() {
  const { team = '', id = '' } = useParams();
  const { data: regression, error, refetch } = useQuery(regressionQuery(team, id));
  useTitle(regression ? `${regression.model} on ${regression.cluster}, regression` : 'Regression');
  if (error && !regression) {
    const status = error instanceof ProblemError ? error.problem.status : 0;
    // 400: the address has no id of a regression in it.
    return status === 404 || status === 400 ? (
      <NotFoundPage />
    ) : (
      <ProblemAlert error={error} retry={refetch} />
    );
  }
  if (!regression) return <Loading what="Loading the regression" />;
  return (
    <Stack gap="lg">
      {error && <ProblemAlert error={error} retry={refetch} />}
      <Header team={team} regression={regression} />
      <RegressionBody team={team} regression={regression} />
    </Stack>
  );
}

function Header({ team, regression }: { team: string; regression: Regression }) {
  const { model, workload, cluster, branch, firstBad } = regression;
  const facts = [cluster, branch !== null && `branch ${branch}`].filter(Boolean).join(', ');
  return (
    <header>
      <Anchor component={Link} to={regressionsAddress(team)} size="sm">
        Regressions
      </Anchor>
      <Group gap="sm">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {model}
          {workload !== null && ` / ${workload}`}
        </Title>
        <RegressionBadges regression={regression} size="lg" />
      </Group>
      <Text size="sm" c="dimmed">
        {facts}
      </Text>
      <Text size="lg" fw={600} mt="xs">
        {metricName(regression.metricId)} {movement(regression)}
        {regression.changeRatio !== null && ` (${formatChangeRatio(regression.changeRatio)})`}
        {firstBad.commit === null ? ' since a run of ' : ` since commit ${firstBad.commit.slice(0, 10)}, `}
        <When at={firstBad.at} />.
      </Text>
      {regression.explanation !== null && <Text>{answer(regression.explanation)}</Text>}
      <Standing regression={regression} />
      <Acts team={team} regression={regression} />
    </header>
  );
}

/** How it stands, beyond its state. */
function Standing({ regression }: { regression: Regression }) {
  const { resolution, resolvedAt, acknowledgedReason, assignedTo, mutedUntil, timesReopened } = regression;
  return (
    <Text size="sm">
      {resolution !== null && resolvedAt !== null && (
        <>
          Resolved <When at={resolvedAt} />: {RESOLUTIONS[resolution] ?? resolution}.{' '}
        </>
      )}
      {acknowledgedReason !== null && resolution === null && `Acknowledged: ${acknowledgedReason} `}
      {assignedTo === null ? 'Assigned to nobody.' : `Assigned to ${assignedTo.name || assignedTo.email}.`}
      {mutedUntil !== null && ` Webhooks are told nothing until ${new Date(mutedUntil).toLocaleString()}.`}
      {timesReopened > 0 && ` Came back ${timesReopened === 1 ? 'once' : `${timesReopened} times`}.`}
    </Text>
  );
}
