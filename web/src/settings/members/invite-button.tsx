import { NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { inviteAddress } from '../../session/addresses';
import { fieldsOf } from '../../session/fields-of';
import { meQuery } from '../../session/me-query';
import { ProblemAlert } from '../../states/problem-alert';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { ShownOnce } from '../shown-once';
import { useAct } from '../use-act';
import { type Role, RoleChoice } from './roles';

/** Longest and usual time that an invitation can be accepted, days. */
const MOST_DAYS = 30;
const USUAL_DAYS = 7;

/** Invites somebody and shows the link that the person is to be given. */
export function InviteButton() {
  return (
    <DialogButton label="Invite somebody" title="Invite somebody" size="sm" variant="filled">
      {(close) => <NewInvitation close={close} />}
    </DialogButton>
  );
}

function NewInvitation({ close }: { close: () => void }) {
  const { team = '' } = useParams();
  const { data: me } = useQuery(meQuery(team));
  const invite = useAct((api, body: Schemas['NewInvitation']) =>
    unwrap(api.POST('/v1/invitations', { body })),
  );
  if (invite.data) return <InvitationLink invitation={invite.data} close={close} />;
  return (
    <form
      onSubmit={(event) => {
        const { text } = fieldsOf(event);
        const expiresInDays = Number(text('days'));
        invite.mutate({ email: text('email').trim(), role: text('role') as Role, expiresInDays });
      }}
    >
      <Stack>
        <TextInput name="email" type="email" label="E-mail address" required data-autofocus />
        <RoleChoice own={me?.role ?? null} initial="member" />
        <NumberInput
          name="days"
          label="Days until it ends"
          w={200}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          defaultValue={USUAL_DAYS}
          required
        />
        {invite.error && <ProblemAlert error={invite.error} />}
        <FormButtons submit="Make the invitation" isPending={invite.isPending} close={close} />
      </Stack>
    </form>
  );
}

interface LinkProps {
  invitation: Schemas['CreatedInvitation'];
  close: () => void;
}

function InvitationLink({ invitation: { email, role, token, expiresAt }, close }: LinkProps) {
  return (
    <ShownOnce what="the link" secret={location.origin + inviteAddress(token)} close={close}>
      <Text size="sm">
        No e-mail is sent: give the link to {email} yourself. It works once, until{' '}
        {new Date(expiresAt).toLocaleString()}, and gives them the role {role}.
      </Text>
    </ShownOnce>
  );
}
