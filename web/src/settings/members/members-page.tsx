import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Pager, useCursor } from '../pager';
import { InviteButton } from './invite-button';
import { Invitations } from './invitations';
import { MembersTable } from './members-table';

/** Who is in the team, and who is invited. */
export function MembersPage() {
  useTitle('Members');
  const { team = '' } = useParams();
  const list = useCursor();
  const { cursor } = list;
  const members = useQuery({
    queryKey: [team, 'members', cursor],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/members', { params: { query: { cursor } }, signal })),
  });
  return (
    <Stack gap="xl">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={1} size="h2">
            Members
          </Title>
          <InviteButton />
        </Group>
        {members.error && <ProblemAlert error={members.error} retry={members.refetch} />}
        {members.isPending && <Loading what="Loading the members" />}
        {members.data && (
          <>
            <MembersTable members={members.data.items} />
            <Pager list={list} next={members.data.nextCursor} />
          </>
        )}
      </Stack>
      <Invitations />
    </Stack>
  );
}
