import { Table, VisuallyHidden } from '@mantine/core';
import { type ReactNode } from 'react';
import { WideTable } from '../states/wide-table';
import classes from './settings.module.css';

interface Props {
  label: string;
  /** Narrower than this it is scrolled. */
  minWidthPx: number;
  /** Names of the columns; `figure`: numbers, to the right; `acts`: for buttons, with a name for screen readers only. */
  columns: readonly (string | { name: string; kind: 'figure' | 'acts' })[];
  /** Its rows. */
  children: ReactNode;
}

/** A list of what the team has, with what may be done about it at the end of each row. */
export function ListTable({ label, minWidthPx, columns, children }: Props) {
  return (
    <WideTable label={label}>
      <Table miw={minWidthPx} verticalSpacing="xs" fz="sm" className={classes.list}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => {
              const { name, kind } = typeof column === 'string' ? { name: column, kind: undefined } : column;
              return (
                <Table.Th key={name} className={kind && classes[kind]}>
                  {kind === 'acts' ? <VisuallyHidden>{name}</VisuallyHidden> : name}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </WideTable>
  );
}
