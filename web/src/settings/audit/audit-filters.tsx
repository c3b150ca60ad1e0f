import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { ACTIONS } from './audit-words';
import { type useAuditFilters } from './use-audit-filters';

interface Props {
  filters: ReturnType<typeof useAuditFilters>;
  /** Actors to choose from, names by id. */
  actors: ReadonlyMap<string, string>;
}

/** Fields of the filters. */
export function AuditFilters({ filters: { get, change, clear, isFiltered }, actors }: Props) {
  const actor = get('actor');
  const known = [...actors].map(([value, label]) => ({ value, label }));
  return (
    <search aria-label="Filter the audit log">
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label="Action"
          size="xs"
          value={get('action')}
          onChange={(event) => change('action', event.currentTarget.value)}
          data={[
            { value: '', label: 'Any' },
            ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
          ]}
        />
        <NativeSelect
          label="Actor"
          size="xs"
          maw={220}
          value={actor}
          onChange={(event) => change('actor', event.currentTarget.value)}
          data={[
            { value: '', label: 'Anybody' },
            ...known,
            ...(actor && !actors.has(actor) ? [{ value: actor, label: actor }] : []),
          ]}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={name === 'from' ? 'From (UTC)' : 'To (UTC)'}
            size="xs"
            value={get(name)}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        ))}
        {isFiltered && (
          <Button size="xs" variant="subtle" onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </search>
  );
}
