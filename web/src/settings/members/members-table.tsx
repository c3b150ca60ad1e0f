import { Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { meQuery } from '../../session/me-query';
import { ConfirmButton } from '../confirm-button';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { ChangeRoleButton } from './change-role-button';
import { mayManage } from './roles';

type Member = Schemas['MemberSummary'];

/** Members with what may be done about those that are not above oneself. */
export function MembersTable({ members }: { members: readonly Member[] }) {
  const { team = '' } = useParams();
  const { data: me } = useQuery(meQuery(team));
  return (
    <ListTable
      label="Members"
      minWidthPx={560}
      columns={['Person', 'Role', 'Joined', { name: 'Acts', kind: 'acts' }]}
    >
      {members.map((member) => (
        <Table.Tr key={member.userId}>
          <Table.Td className={classes.anywhere}>
            <Text size="sm" fw={600}>
              {member.name}
              {member.userId === me?.id && ' (you)'}
            </Text>
            {member.name !== member.email && (
              <Text size="sm" c="dimmed">
                {member.email}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{member.role}</Table.Td>
          <Table.Td>
            <When at={member.joinedAt} />
          </Table.Td>
          <Table.Td className={classes.acts}>
            {me && me.id !== member.userId && mayManage(me.role, member.role) && (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ChangeRoleButton member={member} own={me.role} />
                <RemoveButton member={member} />
              </Group>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  );
}

function RemoveButton({ member: { userId, email } }: { member: Member }) {
  return (
    <ConfirmButton
      label="Remove"
      to={email}
      title={`Remove ${email}?`}
      confirm="Remove"
      said={`${email} is not in the team any more.`}
      act={(api) => unwrap(api.DELETE('/v1/members/{userId}', { params: { path: { userId } } }))}
    >
      <Text size="sm">
        Their access ends at once, and the open invitations that they made or could come back with are
        revoked. API tokens that they made belong to the team and stay: look through them under API tokens.
      </Text>
    </ConfirmButton>
  );
}
