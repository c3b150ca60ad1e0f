import { Box, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  about?: string | null;
  children: ReactNode;
}

/** A part of a page under a heading. */
export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={4}>
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mb="xs" maw={900}>
          {about}
        </Text>
      )}
      {children}
    </Box>
  );
}
