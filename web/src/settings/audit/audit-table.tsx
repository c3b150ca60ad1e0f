import { Button, Code, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type Schemas } from '../../api/client';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { EntryDetails } from './entry-details';
import { wordsFor } from './audit-words';

type Entry = Schemas['AuditEntry'];

interface Props {
  entries: readonly Entry[];
  /** Shows what the actor with this id did, and nothing else. */
  only: (actorId: string) => void;
}

const COLUMNS = ['Time (UTC)', 'Action', 'Actor', 'On', { name: 'Details', kind: 'acts' }] as const;

/** Entries; each opens to what else it tells. */
export function AuditTable({ entries, only }: Props) {
  return (
    <ListTable label="Audit log" minWidthPx={720} columns={COLUMNS}>
      {entries.map((entry) => (
        <EntryRows key={entry.id} entry={entry} only={only} />
      ))}
    </ListTable>
  );
}

function EntryRows({ entry, only }: Pick<Props, 'only'> & { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const { id, at, action, actor, target } = entry;
  const kind = actor.kind === 'serviceAccount' ? 'service account' : actor.kind;
  const detailsId = `details-${id}`;
  return (
    <>
      <Table.Tr>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          <time dateTime={at}>{at.slice(0, 19).replace('T', ' ')}</time>
        </Table.Td>
        <Table.Td>
          {wordsFor(action)}
          <Text size="xs" c="dimmed">
            {action}
          </Text>
        </Table.Td>
        <Table.Td className={classes.anywhere} maw={260}>
          {actor.name ?? actor.id ?? kind}
          <Text size="xs" c="dimmed">
            {actor.id !== null && kind}
            {actor.id !== null && (
              <Button
                size="compact-xs"
                variant="transparent"
                fw={400}
                aria-label={`Only this actor: ${actor.name ?? actor.id}`}
                onClick={() => only(actor.id ?? '')}
              >
                Only this actor
              </Button>
            )}
          </Text>
        </Table.Td>
        <Table.Td className={classes.anywhere} maw={220}>
          {target && (
            <>
              {target.kind}
              <br />
              <Code>{target.id}</Code>
            </>
          )}
        </Table.Td>
        <Table.Td className={classes.acts}>
          <Button
            size="compact-sm"
            variant="default"
            fw={500}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={`Details: ${wordsFor(action)}, ${at}`}
            onClick={() => setOpen(!isOpen)}
          >
            Details
          </Button>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr id={detailsId}>
          <Table.Td colSpan={COLUMNS.length}>
            <EntryDetails entry={entry} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
