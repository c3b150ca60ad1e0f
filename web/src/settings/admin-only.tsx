import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from 'react-router';
import { settingsAddress } from '../session/addresses';
import { type Me, meQuery } from '../session/me-query';
import { useTitle } from '../shell/use-title';

/** Pages for admins and owners; others are told what they lack and who can give it. */
export function AdminOnly() {
  const { team = '' } = useParams();
  const { data: me } = useQuery(meQuery(team));
  if (!me) return null;
  return me.scopes.includes('admin') ? <Outlet /> : <NoPermission me={me} />;
}

function NoPermission({ me: { role, email, team } }: { me: Me }) {
  useTitle('No permission');
  return (
    <Stack maw={560}>
      <Title order={1} size="h2">
        This page is for admins
      </Title>
      <Alert color="yellow" title="You need the role admin or owner">
        <Text size="sm">
          Your role in {team.name} is <b>{role}</b>. It reads what the team has
          {role === 'member' && ', uploads runs and evaluates gates'}, but does not manage people, tokens,
          webhooks or the audit log.
        </Text>
        <Text size="sm" mt="xs">
          An admin or owner of the team can give you the role, under Members. Tell them your address:{' '}
          <b style={{ overflowWrap: 'anywhere' }}>{email}</b>
        </Text>
      </Alert>
      <Text size="sm">
        You may see{' '}
        <Anchor component={Link} to={settingsAddress(team.slug, 'usage')} inherit>
          what the team uses
        </Anchor>{' '}
        and{' '}
        <Anchor component={Link} to={settingsAddress(team.slug, 'account')} inherit>
          your account
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
