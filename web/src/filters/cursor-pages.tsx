import { Button, Group } from '@mantine/core';

interface Props {
  cursor: string | null;
  next: string | null;
  go: (cursor: string | null) => void;
}

/** Ways through a list: the address has the cursor of the page. */
export function CursorPages({ cursor, next, go }: Props) {
  if (cursor === null && next === null) return null;
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={cursor === null} onClick={() => go(null)}>
        First page
      </Button>
      <Button size="xs" variant="default" disabled={next === null} onClick={() => go(next)}>
        Next page
      </Button>
    </Group>
  );
}
