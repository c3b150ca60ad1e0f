import { Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { publicApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { runsAddress } from '../session/addresses';
import { fieldsOf } from '../session/fields-of';
import { OtherWays } from '../session/other-ways';
import { SHORTEST_PASSWORD } from '../session/passwords';
import { session } from '../session/session';
import { ProblemAlert } from '../states/problem-alert';

interface Props {
  token: string;
  invitation: Schemas['InvitationPreview'];
}

interface Join {
  password: string;
  name?: string;
}

/** For those who are not signed in: with the password of their account, or one for an account that is made. */
export function JoinWithPassword({ token, invitation: { email, team } }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isNew, setNew] = useState(true);
  const join = useMutation({
    mutationFn: async (proof: Join) => {
      await unwrap(publicApi().POST('/v1/invitations/accept', { body: { token, ...proof } }));
      return session.signIn({ email, password: proof.password, team: team.slug });
    },
    gcTime: 0,
    onSuccess: async ({ slug }) => {
      queries.clear();
      await navigate(runsAddress(slug), { replace: true });
    },
  });
  return (
    <>
      <form
        onSubmit={(event) => {
          const { text } = fieldsOf(event);
          const name = text('name').trim();
          join.mutate({ password: text('password'), ...(name && { name }) });
        }}
      >
        <Stack>
          <SegmentedControl
            fullWidth
            aria-label="Your account"
            value={isNew ? 'new' : 'known'}
            onChange={(value) => {
              setNew(value === 'new');
              join.reset();
            }}
            data={[
              { value: 'new', label: 'I am new here' },
              { value: 'known', label: 'I have an account' },
            ]}
          />
          {join.error && <ProblemAlert error={join.error} />}
          {/* For password managers. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          {isNew && <TextInput name="name" label="Your name" autoComplete="name" maxLength={200} />}
          <PasswordInput
            key={isNew ? 'new' : 'known'}
            name="password"
            label={isNew ? 'Choose a password' : 'Password'}
            description={isNew ? `${SHORTEST_PASSWORD} characters or more` : undefined}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            minLength={isNew ? SHORTEST_PASSWORD : undefined}
            maxLength={200}
          />
          <Button type="submit" loading={join.isPending}>
            {isNew ? 'Make the account and join' : 'Sign in and join'}
          </Button>
        </Stack>
      </form>
      <OtherWays wanted={{ to: runsAddress(team.slug), team: team.slug }} />
    </>
  );
}
