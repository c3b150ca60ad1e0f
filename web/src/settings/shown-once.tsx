import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Command } from '../states/copyable';

interface Props {
  /** What it is, such as `the token`. */
  what: string;
  secret: string;
  close: () => void;
  children?: ReactNode;
}

/** A secret that cannot be shown again, to copy; it lives as long as this is on the page. */
export function ShownOnce({ what, secret, close, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // The button that asked for it, and had the focus, is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label="Shown only once" style={{ outline: 'none' }}>
      <Text size="sm" fw={600}>
        Copy {what} now: it is not stored here and cannot be shown again.
      </Text>
      <Command text={secret} what={what} />
      {children}
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  );
}
