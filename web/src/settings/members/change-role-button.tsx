import { Stack, Text } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { fieldsOf } from '../../session/fields-of';
import { ProblemAlert } from '../../states/problem-alert';
import { useAnnounce } from '../announcements';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';
import { type Role, RoleChoice } from './roles';

interface Props {
  member: Schemas['MemberSummary'];
  /** Of whoever gives the other one. */
  own: Role | null;
}

/** Gives a member another role. */
export function ChangeRoleButton(props: Props) {
  const { email } = props.member;
  return (
    <DialogButton label="Change role" to={email} title={`Role of ${email}`}>
      {(close) => <ChangeRole {...props} close={close} />}
    </DialogButton>
  );
}

function ChangeRole({ member: { userId, email, role }, own, close }: Props & { close: () => void }) {
  const announce = useAnnounce();
  const change = useAct(
    (api, body: Schemas['MemberChange']) =>
      unwrap(api.PATCH('/v1/members/{userId}', { params: { path: { userId } }, body })),
    (changed) => {
      close();
      announce(`${email} has the role ${changed.role} now.`);
    },
  );
  return (
    <form onSubmit={(event) => change.mutate({ role: fieldsOf(event).text('role') as Role })}>
      <Stack>
        <RoleChoice own={own} initial={role} />
        <Text size="sm" c="dimmed">
          It counts from their next request on. Open invitations that they made to roles which they could not
          give any more are revoked.
        </Text>
        {change.error && <ProblemAlert error={change.error} />}
        <FormButtons submit="Give this role" isPending={change.isPending} close={close} />
      </Stack>
    </form>
  );
}
