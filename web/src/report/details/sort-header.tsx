import { Table, UnstyledButton } from '@mantine/core';

interface Props<Sort extends string> {
  label: string;
  sort: Sort;
  current: Sort;
  onSort: (sort: Sort) => void;
  /** True for a column of figures. */
  isFigure?: boolean;
}

/** The head of a column by which rows can be sorted. */
export function SortHeader<Sort extends string>({ label, sort, current, onSort, isFigure }: Props<Sort>) {
  const isCurrent = sort === current;
  const direction = isFigure ? 'descending' : 'ascending';
  return (
    <Table.Th ta={isFigure ? 'right' : 'left'} aria-sort={isCurrent ? direction : undefined}>
      <UnstyledButton fz="sm" fw={700} style={{ whiteSpace: 'nowrap' }} onClick={() => onSort(sort)}>
        {label}
        <span aria-hidden>{isCurrent ? (isFigure ? ' ▾' : ' ▴') : ''}</span>
      </UnstyledButton>
    </Table.Th>
  );
}
