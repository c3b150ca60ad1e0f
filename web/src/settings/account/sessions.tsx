import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Schemas, teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { type Me } from '../../session/me-query';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { ConfirmButton } from '../confirm-button';
import { Pager, useCursor } from '../pager';
import { Part } from '../part';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { browserOf } from './browser-of';

/** Where somebody is signed in. */
export function Sessions({ teams }: Pick<Me, 'teams'>) {
  const { team = '' } = useParams();
  const list = useCursor();
  const { cursor } = list;
  const sessions = useQuery({
    queryKey: [team, 'own-sessions', cursor],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/auth/sessions', { params: { query: { cursor, limit: 25 } }, signal })),
  });
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  return (
    <Part title="Sessions">
      {sessions.error && <ProblemAlert error={sessions.error} retry={sessions.refetch} />}
      {sessions.isPending && <Loading what="Loading the sessions" />}
      {sessions.data && (
        <>
          <ListTable
            label="Sessions"
            minWidthPx={600}
            columns={['Browser', 'Team', 'Signed in', 'Last used', { name: 'Acts', kind: 'acts' }]}
          >
            {sessions.data.items.map((session) => (
              <SessionRow key={session.id} session={session} team={names.get(session.teamId)} />
            ))}
          </ListTable>
          <Pager list={list} next={sessions.data.nextCursor} />
        </>
      )}
    </Part>
  );
}

function SessionRow({ session, team = '–' }: { session: Schemas['Session']; team?: string }) {
  const { id, userAgent, address, method, createdAt, lastUsedAt, current } = session;
  const browser = browserOf(userAgent);
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm" title={userAgent ?? undefined}>
          {browser}
          {current && <b> (this one)</b>}
        </Text>
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      </Table.Td>
      <Table.Td className={classes.anywhere}>{team}</Table.Td>
      <Table.Td>
        <When at={createdAt} />
        <Text size="xs" c="dimmed">
          {method === 'oidc' ? 'at the OpenID provider' : 'with a password'}
        </Text>
      </Table.Td>
      <Table.Td>
        <When at={lastUsedAt} />
      </Table.Td>
      <Table.Td className={classes.acts}>
        {!current && (
          <ConfirmButton
            label="End"
            to={`${browser}, ${createdAt}`}
            title="End this session?"
            confirm="End it"
            said="The session has ended."
            act={(api) => unwrap(api.DELETE('/v1/auth/sessions/{id}', { params: { path: { id } } }))}
          >
            <Text size="sm">Whoever uses it is signed out at once.</Text>
          </ConfirmButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
