import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Schemas, teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { runsAddress } from '../session/addresses';
import { type Me } from '../session/me-query';
import { session } from '../session/session';
import { sessionKey } from '../session/session-query';
import { ProblemAlert } from '../states/problem-alert';

interface Props {
  token: string;
  me: Me;
  invitation: Schemas['InvitationPreview'];
}

/** For somebody who is signed in already. */
export function JoinAsMe({ token, me, invitation }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: () => unwrap(teamApi(me.team.slug).POST('/v1/invitations/accept', { body: { token } })),
    gcTime: 0,
    onSuccess: async ({ team }) => {
      await navigate(runsAddress(team.slug), { replace: true });
      queries.clear();
    },
  });
  const signOut = useMutation({
    mutationFn: () => session.signOut(),
    onSuccess: () => queries.resetQueries({ queryKey: [sessionKey] }),
  });
  if (me.email?.toLowerCase() !== invitation.email.toLowerCase()) {
    return (
      <Alert color="yellow" title="You are signed in with another address">
        <Text size="sm" mb="xs">
          You are signed in as {me.email}. Sign out to accept the invitation as {invitation.email}.
        </Text>
        {signOut.error && <ProblemAlert error={signOut.error} mb="xs" />}
        <Button size="xs" variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </Alert>
    );
  }
  return (
    <>
      {accept.error && <ProblemAlert error={accept.error} />}
      <Button loading={accept.isPending} onClick={() => accept.mutate()}>
        Join as {me.email}
      </Button>
    </>
  );
}
