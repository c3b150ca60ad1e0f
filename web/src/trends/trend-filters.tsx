import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type Schemas } from '../api/client';
import classes from '../filters/filters.module.css';
import { TextFilter } from '../filters/text-filter';
import { type Condition, type Question, USUAL_METRIC } from './trend-question';

type Metric = Schemas['MetricEntry'];

const CONDITION_LABELS: Record<Condition, string> = {
  model: 'Model',
  cluster: 'Cluster',
  workload: 'Workload',
  branch: 'Branch',
  tag: 'Tag',
  gpu: 'GPU',
};
const MAIN_CONDITIONS = ['model', 'cluster', 'branch'] as const;
const OTHER_CONDITIONS = ['workload', 'tag', 'gpu'] as const;
const SPLITS = [
  { value: 'series', label: 'Series' },
  { value: 'model', label: 'Model' },
  { value: 'cluster', label: 'Cluster' },
  { value: 'branch', label: 'Branch' },
  { value: 'gpu', label: 'GPU' },
  { value: 'none', label: 'Nothing: one line' },
];
const POINTS = [
  { value: '', label: 'As many as fit' },
  { value: 'all', label: 'Every one' },
  { value: 'days', label: 'Days' },
];

interface Props {
  question: Question;
  metrics: readonly Metric[];
  /** What there is to choose from, by condition; other values may be typed. */
  known: Partial<Record<Condition, readonly string[]>>;
}

/** What is drawn, of which runs, and how. */
export function TrendFilters({ question, metrics, known }: Props) {
  const { get, change, clear, isFiltered } = question;
  return (
    <search aria-label="What is shown" className={classes.filters}>
      <NativeSelect
        label="Metric"
        size="xs"
        style={{ gridColumn: 'span 2' }}
        value={get('metric') || USUAL_METRIC}
        onChange={({ currentTarget }) => change({ metric: currentTarget.value })}
        data={metricOptions(metrics, get('metric') || USUAL_METRIC)}
      />
      {MAIN_CONDITIONS.map((name) => (
        <ConditionField key={name} name={name} question={question} known={known[name]} />
      ))}
      <NativeSelect
        label="A line for each"
        size="xs"
        value={get('split') || 'series'}
        onChange={({ currentTarget }) => change({ split: currentTarget.value })}
        data={SPLITS}
      />
      <NativeSelect
        label="Over"
        size="xs"
        value={get('x')}
        onChange={({ currentTarget }) => change({ x: currentTarget.value })}
        data={[
          { value: '', label: 'Time' },
          { value: 'commits', label: 'Commits' },
        ]}
      />
      <NativeSelect
        label="Points"
        size="xs"
        value={get('points')}
        onChange={({ currentTarget }) => change({ points: currentTarget.value })}
        data={POINTS}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? 'From (UTC)' : 'To'}
          size="xs"
          value={get(name)}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
      {OTHER_CONDITIONS.map((name) => (
        <ConditionField key={name} name={name} question={question} known={known[name]} />
      ))}
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface ConditionProps {
  name: Condition;
  question: Question;
  known: readonly string[] | undefined;
}

function ConditionField({ name, question: { get, change }, known }: ConditionProps) {
  return (
    <TextFilter
      label={CONDITION_LABELS[name]}
      value={get(name)}
      known={known}
      onChange={(value) => change({ [name]: value })}
    />
  );
}

/** The few that describe a run first; one of another release that is in the address stays in the list. */
function metricOptions(metrics: readonly Metric[], chosen: string) {
  const toOption = ({ id, name }: Metric) => ({ value: id, label: name });
  const isKnown = metrics.some(({ id }) => id === chosen);
  return [
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
    { group: 'Most used', items: metrics.filter(({ headline }) => headline).map(toOption) },
    { group: 'All others', items: metrics.filter(({ headline }) => !headline).map(toOption) },
  ];
}
