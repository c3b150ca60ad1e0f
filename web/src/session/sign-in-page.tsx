import {
  Anchor,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import createClient from 'openapi-fetch';
import { ProblemError, unwrap } from '../api/problem';
import { type paths } from '../api/schema';
import { useTitle } from '../shell/use-title';
import { ProblemAlert } from '../states/problem-alert';
import { pageToReturnTo, runsAddress } from './addresses';
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
    onSuccess: (team) => {
      queries.clear();
      void navigate(wanted?.to ?? runsAddress(team.slug), { replace: true });
    },
  });
  const needsTeam = codeOf(signIn.error) === 'team-required' || signIn.variables?.team !== undefined;

  const error = signIn.error ?? (signIn.isIdle ? problemBefore : null);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
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

/** The organisation's own sign-in, where the service has one. */
function OtherWays({ wanted }: { wanted: { to: string; team: string } | null }) {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => unwrap(createClient<paths>({ baseUrl: location.origin }).GET('/v1/auth/methods')),
    staleTime: Infinity,
  });
  if (!data?.oidc) return null;
  const query = new URLSearchParams({ returnTo: wanted?.to ?? '/', ...(wanted && { team: wanted.team }) });
  const { host } = new URL(data.oidc.issuer);
  return (
    <Stack mt="md">
      <Divider label="or" />
      <Button component="a" variant="default" href={`${data.oidc.startPath}?${query}`}>
        Sign in with {host}
      </Button>
      <Anchor size="sm" component="a" href="/docs">
        API documentation
      </Anchor>
    </Stack>
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
