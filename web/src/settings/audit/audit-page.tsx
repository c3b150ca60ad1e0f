import { Button, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Pager, useCursor } from '../pager';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { useActors } from './use-actors';
import { useAuditFilters } from './use-audit-filters';

/** Who did what in the team. */
export function AuditPage() {
  useTitle('Audit log');
  const { team = '' } = useParams();
  const filters = useAuditFilters();
  const { query } = filters;
  const list = useCursor();
  const entries = useQuery({
    queryKey: [team, 'audit', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/audit-log', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const actors = useActors(team, entries.data?.items ?? []);
  return (
    <Stack gap="sm">
      <Title order={1} size="h2">
        Audit log
      </Title>
      <AuditFilters filters={filters} actors={actors} />
      {entries.error && <ProblemAlert error={entries.error} retry={entries.refetch} />}
      {entries.isPending && <Loading what="Loading the audit log" />}
      {entries.data?.items.length === 0 && (
        <Stack align="center" py="xl">
          <Text>No entry matches all of these filters.</Text>
          <Button variant="default" onClick={filters.clear}>
            Show all entries
          </Button>
        </Stack>
      )}
      {entries.data && entries.data.items.length > 0 && (
        <>
          <AuditTable entries={entries.data.items} only={(actor) => filters.change('actor', actor)} />
          <Text size="sm" c="dimmed" aria-live="polite">
            {entries.isPlaceholderData
              ? 'Loading …'
              : `On this page: ${entries.data.items.length}, the newest first`}
          </Text>
          <Pager list={list} next={entries.data.nextCursor} />
        </>
      )}
    </Stack>
  );
}
