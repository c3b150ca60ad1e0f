import { NativeSelect, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { formatBytes } from '../../../../src/presentation/quantity';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Part } from '../part';
import { QuotaBar } from './quota-bar';
import { UsageDays } from './usage-days';

const USUAL_DAYS = 30;
const count = (value: number) => value.toLocaleString('en');

/** What the team may use, what it uses now, and what it used day by day. */
export function UsagePage() {
  useTitle('Usage');
  const { team = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const days = Number(parameters.get('days') ?? USUAL_DAYS);
  const { data, error, refetch } = useQuery({
    queryKey: [team, 'usage', days],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/usage', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        Usage
      </Title>
      {error && <ProblemAlert error={error} retry={refetch} />}
      {!data && !error && <Loading what="Loading the usage" />}
      {data && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
            <QuotaBar
              name="Stored files"
              used={data.stored.bytes}
              limit={data.limits.storedBytes}
              format={formatBytes}
              note={`${count(data.stored.objects)} files; the same content counts once`}
            />
            <QuotaBar
              name="Runs today"
              used={data.runs.today}
              limit={data.limits.runsPerDay}
              format={count}
              note="From midnight to midnight, UTC"
            />
            <QuotaBar
              name="Runs that wait"
              used={data.runs.queued}
              limit={data.limits.queuedRuns}
              format={count}
              note="For their analysis; above it no more are taken"
            />
            <QuotaBar
              name="Analyses under way"
              used={data.runs.analyzing}
              limit={data.limits.concurrentAnalyses}
              format={count}
              note="At the same time"
            />
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            Finished runs are kept for {count(data.limits.retentionDays)} days. The limits are set by whoever
            runs this installation.
          </Text>
          <Part title="Day by day">
            <NativeSelect
              label="Days"
              size="xs"
              w={132}
              value={String(days)}
              onChange={({ currentTarget: { value } }) => setParameters({ days: value })}
              data={[...new Set(['7', '30', '90', '365', String(days)])]}
            />
            <UsageDays days={data.days} />
          </Part>
        </>
      )}
    </Stack>
  );
}
