import { Button, Menu, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { runsAddress, signInAddress } from '../session/addresses';
import { meQuery } from '../session/me-query';
import { session, type Team } from '../session/session';

/** Which team's pages these are, the person's other teams, and the way out. */
export function TeamMenu({ team }: { team: Team }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery(team.slug));
  const signOut = useMutation({
    mutationFn: () => session.signOut(),
    onSuccess: async () => {
      await navigate(signInAddress(), { replace: true });
      queries.clear();
    },
  });
  const others = me?.teams.filter(({ slug }) => slug !== team.slug) ?? [];
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" size="compact-md" maw={180} aria-label={`Team ${team.name}, menu`}>
          <Text span truncate inherit>
            {team.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me?.email && <Menu.Label>{`${me.email}, ${me.role}`}</Menu.Label>}
        {others.map(({ slug, name }) => (
          <Menu.Item key={slug} component={Link} to={runsAddress(slug)}>
            Go to {name}
          </Menu.Item>
        ))}
        {others.length > 0 && <Menu.Divider />}
        <Menu.Item component="a" href="/docs">
          API documentation
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
