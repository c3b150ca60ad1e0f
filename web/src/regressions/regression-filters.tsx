import { Button, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { METRIC_WORDING } from '../../../src/presentation/wording/metrics';
import classes from '../filters/filters.module.css';
import { TextFilter } from '../filters/text-filter';
import { type Person, personName } from './people';
import { REGRESSION_STATES } from './states';
import { type useRegressionFilters } from './use-regression-filters';

interface Props {
  filters: ReturnType<typeof useRegressionFilters>;
  known: Partial<Record<'model' | 'cluster', readonly string[]>>;
  people: readonly Person[];
}

const STATES = [
  { value: 'unresolved', label: 'Unresolved' },
  ...Object.entries(REGRESSION_STATES).map(([value, { label }]) => ({ value, label })),
  { value: 'any', label: 'All' },
];
const TEXTS = [
  ['model', 'Model'],
  ['cluster', 'Cluster'],
  ['branch', 'Branch'],
] as const;
const METRICS = Object.entries(METRIC_WORDING).map(([value, { name }]) => ({ value, label: name }));

/** What to look at: by state first, then by where it is and whose it is. */
export function RegressionFilters({ filters, known, people }: Props) {
  const { get, change, clear, isFiltered } = filters;
  const assignees = people.map((person) => ({ value: person.userId, label: personName(person) }));
  return (
    <search aria-label="Filter regressions">
      <Stack gap="xs">
        <div className={classes.states}>
          <SegmentedControl
            aria-label="State"
            size="xs"
            data={STATES}
            value={get('state') || 'unresolved'}
            onChange={(state) => change({ state: state === 'unresolved' ? null : state })}
          />
        </div>
        <div className={classes.filters}>
          {TEXTS.map(([name, label]) => (
            <TextFilter
              key={name}
              label={label}
              value={get(name)}
              known={name === 'branch' ? [] : known[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
          <NativeSelect
            label="Metric"
            size="xs"
            value={get('metric')}
            onChange={(event) => change({ metric: event.currentTarget.value })}
            data={[{ value: '', label: 'Any' }, ...METRICS]}
          />
          <NativeSelect
            label="Assigned to"
            size="xs"
            value={get('assignedTo')}
            onChange={(event) => change({ assignedTo: event.currentTarget.value })}
            data={[{ value: '', label: 'Anybody' }, { value: 'nobody', label: 'Nobody' }, ...assignees]}
          />
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
        </div>
      </Stack>
    </search>
  );
}
