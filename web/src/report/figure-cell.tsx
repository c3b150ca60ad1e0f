import { Table } from '@mantine/core';
import { type ReactNode } from 'react';

/** A cell with a figure, which stays in one line with its unit. */
export function FigureCell({ children }: { children: ReactNode }) {
  return (
    <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Table.Td>
  );
}
