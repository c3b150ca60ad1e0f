import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { meQuery } from '../../session/me-query';
import { useTitle } from '../../shell/use-title';
import classes from '../settings.module.css';
import { Part } from '../part';
import { ChangePassword } from './change-password';
import { DeleteAccount, LeaveTeam } from './farewells';
import { Sessions } from './sessions';

/** What people do about their own account. */
export function AccountPage() {
  useTitle('Your account');
  const { team = '' } = useParams();
  const { data: me } = useQuery(meQuery(team));
  if (!me) return null;
  return (
    <Stack gap="xl">
      <Stack gap={4} className={classes.anywhere}>
        <Title order={1} size="h2">
          Your account
        </Title>
        <Text size="sm">
          {me.name !== me.email && `${me.name}, `}
          {me.email}, {me.role} of {me.team.name}
        </Text>
      </Stack>
      <Part title="Password">
        <ChangePassword />
      </Part>
      <Sessions teams={me.teams} />
      <Part title="Leave">
        <Group gap="xs">
          <LeaveTeam me={me} />
          <DeleteAccount me={me} />
        </Group>
      </Part>
    </Stack>
  );
}
