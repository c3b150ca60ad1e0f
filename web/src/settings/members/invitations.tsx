import { Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Schemas, teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { ConfirmButton } from '../confirm-button';
import { Pager, useCursor } from '../pager';
import { Part } from '../part';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';

type Invitation = Schemas['Invitation'];

const COLORS: Record<Invitation['state'], string> = {
  open: 'blue',
  accepted: 'teal',
  revoked: 'gray',
  expired: 'gray',
};

/** Invitations of the team, the newest first; the open ones can be revoked. */
export function Invitations() {
  const { team = '' } = useParams();
  const list = useCursor('invitations');
  const { cursor } = list;
  const invitations = useQuery({
    queryKey: [team, 'invitations', cursor],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/invitations', { params: { query: { cursor, limit: 25 } }, signal })),
  });
  return (
    <Part title="Invitations">
      {invitations.error && <ProblemAlert error={invitations.error} retry={invitations.refetch} />}
      {invitations.isPending && <Loading what="Loading the invitations" />}
      {invitations.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody is invited.
        </Text>
      )}
      {invitations.data && invitations.data.items.length > 0 && (
        <ListTable
          label="Invitations"
          minWidthPx={620}
          columns={[
            'E-mail address',
            'Role',
            'State',
            'Made',
            'Ends or ended',
            { name: 'Acts', kind: 'acts' },
          ]}
        >
          {invitations.data.items.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ListTable>
      )}
      {invitations.data && <Pager list={list} next={invitations.data.nextCursor} />}
    </Part>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, state, createdAt, expiresAt, acceptedAt, revokedAt } = invitation;
  const isOpen = state === 'open';
  return (
    <Table.Tr className={isOpen ? undefined : classes.ended}>
      <Table.Td className={classes.anywhere}>{email}</Table.Td>
      <Table.Td>{role}</Table.Td>
      <Table.Td>
        <Badge color={COLORS[state]}>{state}</Badge>
      </Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td>
        <When at={acceptedAt ?? revokedAt ?? expiresAt} />
      </Table.Td>
      <Table.Td className={classes.acts}>
        {isOpen && (
          <ConfirmButton
            label="Revoke"
            to={email}
            title={`Revoke the invitation of ${email}?`}
            confirm="Revoke"
            said={`The invitation of ${email} is revoked.`}
            act={(api) => unwrap(api.DELETE('/v1/invitations/{id}', { params: { path: { id } } }))}
          >
            <Text size="sm">The link stops working at once, for good.</Text>
          </ConfirmButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
