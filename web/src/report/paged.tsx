import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props<Row> {
  rows: readonly Row[];
  /** Rows that a browser draws without a pause. */
  perPage?: number;
  /** What a row is, in the plural. */
  what: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A long list in pages; a short one as it is. Give it another key when the list becomes another. */
export function Paged<Row>({ rows, perPage = 50, what, children }: Props<Row>) {
  const [start, setStart] = useState(0);
  const end = Math.min(rows.length, start + perPage);
  const turn = (label: string, to: number, isThere: boolean) => (
    <Button size="compact-xs" variant="default" disabled={!isThere} onClick={() => setStart(to)}>
      {label} {what}
    </Button>
  );
  return (
    <>
      {children(rows.slice(start, end))}
      {rows.length > perPage && (
        <Group gap="xs" mt={4}>
          {turn('Previous', start - perPage, start > 0)}
          {turn('Next', end, end < rows.length)}
          <Text size="sm" c="dimmed" role="status">
            {start + 1} to {end} of {rows.length} {what}
          </Text>
        </Group>
      )}
    </>
  );
}
