import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { fieldsOf } from '../../session/fields-of';
import { type Me } from '../../session/me-query';
import { useEndSession } from '../../session/use-end-session';
import { ProblemAlert } from '../../states/problem-alert';
import { DialogButton } from '../dialog-button';

/** Takes oneself out of the team. */
export function LeaveTeam({ me: { id: userId, team } }: { me: Me }) {
  const leave = () =>
    unwrap(teamApi(team.slug).DELETE('/v1/members/{userId}', { params: { path: { userId } } }));
  return (
    <DialogButton label="Leave the team" title={`Leave ${team.name}?`} size="xs" isPassing>
      {(close) => (
        <Farewell act={leave} confirm="Leave" close={close}>
          <Text size="sm">
            You see nothing of the team any more, and only an invitation brings you back. You are signed out.
          </Text>
        </Farewell>
      )}
    </DialogButton>
  );
}

/** Deletes one's own account, in all teams. */
export function DeleteAccount({ me: { team } }: { me: Me }) {
  const deleteAccount = (password: string) =>
    unwrap(teamApi(team.slug).DELETE('/v1/me', { body: password ? { currentPassword: password } : {} }));
  return (
    <DialogButton label="Delete the account" title="Delete your account?" size="xs">
      {(close) => (
        <Farewell act={deleteAccount} confirm="Delete the account" close={close}>
          <Text size="sm">
            Your account is gone for good, in all teams, with your sessions and open invitations. Runs, tokens
            and all else belong to the teams and stay. Audit logs keep who did what.
          </Text>
          <PasswordInput
            name="password"
            label="Current password"
            description="Leave it empty if you only sign in at your OpenID provider."
            autoComplete="current-password"
            maxLength={200}
          />
        </Farewell>
      )}
    </DialogButton>
  );
}

interface FarewellProps {
  act: (password: string) => Promise<unknown>;
  confirm: string;
  close: () => void;
  children: ReactNode;
}

/** Asks, does it, and signs out. */
function Farewell({ act, confirm, close, children }: FarewellProps) {
  const end = useEndSession(act);
  return (
    <form onSubmit={(event) => end.mutate(fieldsOf(event).text('password'))}>
      <Stack>
        {children}
        {end.error && <ProblemAlert error={end.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={end.isPending}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
