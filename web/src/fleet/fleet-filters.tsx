import { Button, NativeSelect, TextInput } from '@mantine/core';
import classes from '../filters/filters.module.css';
import { TextFilter } from '../filters/text-filter';
import { causeLabel, CAUSES } from './causes';
import { type useFleetFilters } from './use-fleet-filters';

interface Props {
  filters: ReturnType<typeof useFleetFilters>;
  known: Partial<Record<'model' | 'cluster', readonly string[]>>;
  /** What is shown unless the address says otherwise. */
  show: 'hours' | 'share';
}

const CAUSE_OPTIONS = [
  { value: '', label: 'All' },
  ...CAUSES.map((value) => ({ value, label: causeLabel(value) })),
];

/** Which runs are summed, and what of them is shown. */
export function FleetFilters({ filters, known, show }: Props) {
  const { get, change, clear, isFiltered } = filters;
  return (
    <search className={classes.filters} aria-label="Filter the fleet">
      <NativeSelect
        label="Cause"
        size="xs"
        data={CAUSE_OPTIONS}
        value={filters.cause === 'all' ? '' : filters.cause}
        onChange={(event) => change({ cause: event.currentTarget.value })}
      />
      <NativeSelect
        label="Show"
        size="xs"
        data={[
          { value: 'hours', label: 'GPU-hours' },
          { value: 'share', label: 'Share of the step' },
        ]}
        value={show}
        onChange={(event) => change({ show: event.currentTarget.value })}
      />
      {(['model', 'cluster'] as const).map((name) => (
        <TextFilter
          key={name}
          label={name === 'model' ? 'Model' : 'Cluster'}
          value={get(name)}
          known={known[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? 'From (UTC)' : 'To'}
          size="xs"
          value={get(name)}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear
        </Button>
      )}
    </search>
  );
}
