import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** Beside the title, such as the button that makes another one. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A part of a page under a heading. */
export function Part({ title, beside, children }: Props) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Group justify="space-between">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}
