import { Button, Center, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ProblemError } from '../api/problem';
import { useTitle } from '../shell/use-title';
import { ProblemAlert } from '../states/problem-alert';
import { pageToReturnTo, runsAddress } from './addresses';
import { fieldsOf } from './fields-of';
import { OtherWays } from './other-ways';
import { takeSignInProblem } from './sign-in-problem';
import { type Credentials, session, type Team } from './session';

/** Where people sign in; `to` in the address is the page that they wanted. */
export function SignInPage() {
  useTitle('Sign in');
  const [parameters] = useSearchParams();
  const wanted = pageToReturnTo(parameters.get('to'));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [problemBefore] = useState(takeSignInProblem);
  const signIn = useMutation({
    mutationFn: (credentials: Credentials) => signInWith(credentials, wanted?.team),
    // The password is not kept.
    gcTime: 0,
    onSuccess: (team) => {
      queries.clear();
      void navigate(wanted?.to ?? runsAddress(team.slug), { replace: true });
    },
  });
  const needsTeam = codeOf(signIn.error) === 'team-required' || signIn.variables?.team !== undefined;

  const error = signIn.error ?? (signIn.isIdle ? problemBefore : null);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { text } = fieldsOf(event);
    const team = text('team').trim();
    signIn.mutate({ email: text('email').trim(), password: text('password'), ...(team && { team }) });
  };

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={380} maw="100%">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h2">
              Sign in to Stallscope
            </Title>
            {error && <ProblemAlert error={error} />}
            <TextInput name="email" type="email" label="E-mail address" autoComplete="username" required />
            <PasswordInput name="password" label="Password" autoComplete="current-password" required />
            {needsTeam && (
              <TextInput name="team" label="Team" description="The name in its addresses" required />
            )}
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
        <OtherWays wanted={wanted} />
      </Paper>
    </Center>
  );
}

/** Into the team of the page that was wanted; whoever is not in it gets into their own, and is told there. */
async function signInWith(credentials: Credentials, wantedTeam: string | undefined): Promise<Team> {
  if (credentials.team !== undefined || wantedTeam === undefined) return session.signIn(credentials);
  try {
    return await session.signIn({ ...credentials, team: wantedTeam });
  } catch (error) {
    if (codeOf(error) === 'not-a-member') return session.signIn(credentials);
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.problem.code : undefined;
}
