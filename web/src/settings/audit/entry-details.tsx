import { Table } from '@mantine/core';
import { type Schemas } from '../../api/client';
import classes from '../settings.module.css';

/** What an entry tells beside who, what and when. */
export function EntryDetails({ entry }: { entry: Schemas['AuditEntry'] }) {
  const { details, address, requestId, actor, id } = entry;
  const rows: [string, unknown][] = [
    ...Object.entries(details),
    ['network address', address],
    ['actor id', actor.id],
    ['request id', requestId],
    ['entry id', id],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={2} fz="sm">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" w={180}>
              {name}
            </Table.Th>
            <Table.Td className={classes.anywhere}>{textOf(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
