import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runsAddress, settingsAddress } from '../session/addresses';
import { meQuery } from '../session/me-query';
import { type Team } from '../session/session';
import { useEndSession } from '../session/use-end-session';
import { sectionsFor } from '../settings/sections';

/** Which team's pages these are, its settings as far as the person may open them, their other teams, and the way out. */
export function TeamMenu({ team }: { team: Team }) {
  const { data: me } = useQuery(meQuery(team.slug));
  const signOut = useEndSession();
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
        {me &&
          sectionsFor(me).map(({ path, label }) => (
            <Menu.Item key={path} component={Link} to={settingsAddress(team.slug, path)}>
              {label}
            </Menu.Item>
          ))}
        <Menu.Divider />
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
