import { ScrollArea } from '@mantine/core';
import { type ReactNode } from 'react';

/** A place in which a wide table is scrolled sideways, also with the keyboard, so that the page is not. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }}
    >
      {children}
    </ScrollArea>
  );
}
