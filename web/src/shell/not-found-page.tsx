import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useTitle } from './use-title';

/** Also for what another team has: whether it is there is nobody else's business. */
export function NotFoundPage() {
  useTitle('Not found');
  return (
    <Stack align="center" py={80} px="md" gap="xs">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text c="dimmed" ta="center">
        The address is wrong, what it named was deleted, or it belongs to a team that you are not in.
      </Text>
      <Anchor component={Link} to="/">
        To your runs
      </Anchor>
    </Stack>
  );
}
