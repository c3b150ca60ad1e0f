import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { publicApi } from '../api/client';
import { ProblemError, unwrap } from '../api/problem';
import { meQuery } from '../session/me-query';
import { sessionQuery } from '../session/session-query';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { JoinAsMe } from './join-as-me';
import { JoinWithPassword } from './join-with-password';

interface Props {
  token: string;
  /** Which one it is of those that were opened on this page. */
  nth: number;
  /** To begin with another link. */
  forget: () => void;
}

/** What an invitation is to, and the ways to accept it: as who is signed in, or with a password. */
export function Invitation({ token, nth, forget }: Props) {
  // The token is not part of the key: what is in keys is kept longer than this is shown.
  const preview = useQuery({
    queryKey: ['invitation', nth],
    queryFn: ({ signal }) => unwrap(publicApi().POST('/v1/invitations/preview', { body: { token }, signal })),
    gcTime: 0,
    staleTime: Infinity,
  });
  const me = useSignedIn();
  if (preview.error) {
    const mayPass = preview.error instanceof ProblemError && preview.error.problem.status === 0;
    return (
      <Stack>
        <Title order={1} size="h2">
          This invitation does not work
        </Title>
        <ProblemAlert error={preview.error} retry={mayPass ? preview.refetch : undefined} />
        <Button variant="default" onClick={forget}>
          Use another link
        </Button>
      </Stack>
    );
  }
  if (!preview.data || me === undefined) return <Loading what="Looking at the invitation" />;
  const { team, role, email, expiresAt } = preview.data;
  return (
    <Stack style={{ overflowWrap: 'anywhere' }}>
      <Title order={1} size="h2">
        Join {team.name}
      </Title>
      <Text size="sm">
        The invitation is for <b>{email}</b>, with the role <b>{role}</b>. It can be accepted until{' '}
        {new Date(expiresAt).toLocaleString()}.
      </Text>
      {me ? (
        <JoinAsMe token={token} me={me} invitation={preview.data} />
      ) : (
        <JoinWithPassword token={token} invitation={preview.data} />
      )}
    </Stack>
  );
}

/** Who is signed in at this browser; null when nobody is, undefined while that is not known. */
function useSignedIn() {
  const session = useQuery(sessionQuery());
  const slug = session.data?.slug;
  const me = useQuery({ ...meQuery(slug ?? ''), enabled: slug !== undefined });
  if (session.error || me.error) return null;
  return me.data;
}
