import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { fieldsOf } from '../../session/fields-of';
import { SHORTEST_PASSWORD } from '../../session/passwords';
import { ProblemAlert } from '../../states/problem-alert';
import { useAnnounce } from '../announcements';
import { useAct } from '../use-act';

/** Gives oneself another password. What was filled in is forgotten when it holds. */
export function ChangePassword() {
  const [changes, setChanges] = useState(0);
  return <PasswordForm key={changes} done={() => setChanges(changes + 1)} />;
}

function PasswordForm({ done }: { done: () => void }) {
  const announce = useAnnounce();
  const change = useAct(
    (api, body: Schemas['PasswordChange']) => unwrap(api.POST('/v1/auth/password', { body })),
    () => {
      done();
      announce('The new password holds, and all your other sessions have ended.');
    },
  );
  return (
    <form
      onSubmit={(event) => {
        const { text } = fieldsOf(event);
        change.mutate({ currentPassword: text('current'), newPassword: text('new') });
      }}
    >
      <Stack maw={380} gap="sm">
        <PasswordInput
          name="current"
          label="Current password"
          autoComplete="current-password"
          required
          maxLength={200}
        />
        <PasswordInput
          name="new"
          label="New password"
          description={`${SHORTEST_PASSWORD} characters or more`}
          autoComplete="new-password"
          required
          minLength={SHORTEST_PASSWORD}
          maxLength={200}
        />
        {change.error && <ProblemAlert error={change.error} />}
        <Button type="submit" variant="default" loading={change.isPending} style={{ alignSelf: 'start' }}>
          Change the password
        </Button>
      </Stack>
    </form>
  );
}
