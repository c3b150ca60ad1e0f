import { Button, NativeSelect, TextInput } from '@mantine/core';
import classes from '../filters/filters.module.css';
import { TextFilter } from '../filters/text-filter';
import { type useRunFilters, type Filter } from './use-run-filters';
import { VERDICTS } from './verdicts';

interface Props {
  filters: ReturnType<typeof useRunFilters>;
  /** What there is to choose from, by filter; other values may be typed. */
  known: Partial<Record<Filter, readonly string[]>>;
}

const TEXTS = [
  ['model', 'Model'],
  ['cluster', 'Cluster'],
  ['branch', 'Branch'],
  ['tag', 'Tag'],
] as const;

/** Fields of the filters; a text takes effect when it is left or with Enter. */
export function RunFilters({ filters, known }: Props) {
  const { get, change, clear, isFiltered } = filters;
  return (
    <search className={classes.filters} aria-label="Filter runs">
      <NativeSelect
        label="Verdict"
        size="xs"
        value={get('verdict')}
        onChange={(event) => change({ verdict: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(VERDICTS).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      {TEXTS.map(([name, label]) => (
        <TextFilter
          key={name}
          label={label}
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
