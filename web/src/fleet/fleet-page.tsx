import { Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { formatRatio } from '../../../src/presentation/quantity';
import { useKnownNames } from '../runs/use-known-names';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { ByCause } from './by-cause';
import { Coverage } from './coverage';
import { FleetFilters } from './fleet-filters';
import { formatGpuHours } from './gpu-hours';
import { HeatMap } from './heat-map';
import { NoFleet } from './no-fleet';
import { Returns } from './returns';
import { useFleet, type Fleet } from './use-fleet';
import { useFleetFilters } from './use-fleet-filters';

/** Where the GPU-hours of a team go, over models and clusters, and what fixing it would return. */
export function FleetPage() {
  useTitle('Fleet');
  const { team = '' } = useParams();
  const filters = useFleetFilters();
  const { sums, error, isStale, refetch } = useFleet(team, filters.query);
  const known = useKnownNames(team);
  const total = sums?.pairs.total;
  const asked = filters.get('show');
  const usual = total?.gpuHours === null ? 'share' : 'hours';
  const show = asked === 'hours' || asked === 'share' ? asked : usual;
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        Fleet
      </Title>
      <FleetFilters filters={filters} known={known} show={show} />
      {error && <ProblemAlert error={error} retry={refetch} />}
      {!sums && !error && <Loading what="Summing the runs" />}
      {total?.runs === 0 && <NoFleet filters={filters} />}
      {sums && total && total.runs > 0 && !error && (
        <Stack gap="xl" aria-busy={isStale}>
          <div>
            <Answer fleet={sums.pairs} />
            <Coverage total={total} />
          </div>
          <HeatMap team={team} sums={sums} cause={filters.cause} show={show} />
          <Returns team={team} total={total} show={show} />
          <ByCause total={total} filters={filters} />
        </Stack>
      )}
    </Stack>
  );
}

/** The whole in a sentence. */
function Answer({ fleet: { from, to, total } }: { fleet: Fleet }) {
  const { gpuHours, notComputing } = total;
  const day = (at: string) => new Date(at).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
  // `to` is the first moment that is not counted any more.
  const time = `from ${day(from)} to ${day(new Date(Date.parse(to) - 1).toISOString())}`;
  const share = notComputing.share === null ? null : formatRatio(notComputing.share);
  if (share === null)
    return (
      <Text size="lg" fw={600}>
        Of {total.runs} runs {time}, none says where its time went.
      </Text>
    );
  return (
    <Text size="lg" fw={600}>
      {gpuHours === null || notComputing.gpuHours === null
        ? `GPUs did not compute for ${share} of the time of ${total.runs} runs ${time}.`
        : `${formatGpuHours(notComputing.gpuHours)} of ${formatGpuHours(gpuHours)} GPU-hours ${time} went without computing.`}
    </Text>
  );
}
