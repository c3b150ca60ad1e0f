import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Pager, useCursor } from '../pager';
import { NewTokenButton } from './new-token-button';
import { ServiceAccounts } from './service-accounts';
import { TokensTable } from './tokens-table';

/** The API tokens of the team, and the service accounts that some belong to. */
export function TokensPage() {
  useTitle('API tokens');
  const { team = '' } = useParams();
  const list = useCursor();
  const { cursor } = list;
  const tokens = useQuery({
    queryKey: [team, 'tokens', cursor],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/tokens', { params: { query: { cursor, limit: 25 } }, signal })),
  });
  return (
    <Stack gap="xl">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={1} size="h2">
            API tokens
          </Title>
          <NewTokenButton />
        </Group>
        {tokens.error && <ProblemAlert error={tokens.error} retry={tokens.refetch} />}
        {tokens.isPending && <Loading what="Loading the tokens" />}
        {tokens.data?.items.length === 0 && (
          <Paper withBorder p="lg">
            <Text size="sm">
              There is no token. Training jobs and pipelines send their runs with one: create it with the
              scope runs:write, and the command for the first upload stands beside it.
            </Text>
          </Paper>
        )}
        {tokens.data && tokens.data.items.length > 0 && (
          <TokensTable tokens={tokens.data.items} atMs={tokens.dataUpdatedAt} />
        )}
        {tokens.data && <Pager list={list} next={tokens.data.nextCursor} />}
      </Stack>
      <ServiceAccounts />
    </Stack>
  );
}
