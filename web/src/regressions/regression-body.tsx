import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ConfigurationChanges } from '../explanation/configuration-changes';
import { PartChanges } from '../explanation/part-changes';
import { WorkChanges } from '../explanation/work-changes';
import { Loading } from '../states/loading';
import { History } from './history';
import { MovedMetrics } from './moved-metrics';
import { type Regression } from './regression-query';
import { WhereItCameIn } from './where-it-came-in';

const TrendAround = lazy(() => import('./trend-around').then((m) => ({ default: m.TrendAround })));

/** What is known of a regression, the answers first. */
export function RegressionBody({ team, regression }: { team: string; regression: Regression }) {
  const { explanation } = regression;
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <WhereItCameIn team={team} regression={regression} />
        <Suspense fallback={<Loading what="Loading the trend" />}>
          <TrendAround team={team} regression={regression} />
        </Suspense>
      </SimpleGrid>
      {explanation === null ? (
        <NotExplained explainedAt={regression.explainedAt} />
      ) : (
        <>
          <PartChanges explanation={explanation} />
          <ConfigurationChanges explanation={explanation} />
        </>
      )}
      <MovedMetrics metrics={regression.metrics} />
      {explanation !== null && <WorkChanges explanation={explanation} />}
      <History team={team} regression={regression} />
    </Stack>
  );
}

/** Why there is no explanation, and what would give one. */
function NotExplained({ explainedAt }: { explainedAt: string | null }) {
  if (explainedAt === null)
    return (
      <Alert role="status" color="blue" title="It is being explained">
        <Text size="sm">The reports before and after are compared; it appears here by itself.</Text>
      </Alert>
    );
  return (
    <Alert color="gray" title="Where the time went is not known">
      <Text size="sm">
        The reports of the runs before or after have no steps with device activity. Record with
        ProfilerActivity.CPU and ProfilerActivity.CUDA, and call the profiler&apos;s step() once a step: the
        next runs then tell.
      </Text>
    </Alert>
  );
}
