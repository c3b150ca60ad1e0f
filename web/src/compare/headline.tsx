import { Badge, Group, Paper, Text } from '@mantine/core';
import { formatNs } from '../../../src/presentation/quantity';
import { answer } from '../explanation/answer';
import { formatChange, formatChangeRatio } from '../explanation/change-words';
import { type Comparison } from './use-comparison';

type Metric = Comparison['metrics'][number];

/** What the training pays comes before what the profiler saw. */
const STEP_METRICS = ['unprofiled-step-time', 'step-time'];
const VERDICTS: Readonly<Record<NonNullable<Metric['verdict']>, { label: string; color: string }>> = {
  worse: { label: 'Slower', color: 'red' },
  better: { label: 'Faster', color: 'teal' },
  changed: { label: 'Changed', color: 'gray' },
  unchanged: { label: 'No change beyond the noise', color: 'gray' },
  inconclusive: { label: 'Not sure', color: 'yellow' },
};
const NOISE: Readonly<Record<NonNullable<Metric['noiseFrom']>, string>> = {
  groups: 'Judged by how much the runs of a side differ among themselves.',
  history: 'Judged by how much the runs of the series before them differed.',
};

/** By how much the step changed, whether that is more than noise, and what most of it is. */
export function Headline({ comparison: { metrics, explanation } }: { comparison: Comparison }) {
  const step = STEP_METRICS.map((id) => metrics.find((one) => one.id === id)).find(
    (one) => one?.verdict != null,
  );
  if (step?.before == null || step.after == null) return null;
  const { before, after, changeRatio, verdict, noiseFrom } = step;
  const { label, color } = VERDICTS[verdict ?? 'inconclusive'];
  const isNoise = verdict === 'unchanged';
  return (
    <Paper
      withBorder
      p="lg"
      style={{ borderLeft: `4px solid var(--mantine-color-${color}-filled)` }}
      component="section"
      aria-label="Result"
    >
      <Group gap="sm">
        <Text size="lg" fw={600} className="figures">
          The step takes {formatNs(after)}, before {formatNs(before)}: {formatChange(after - before)}
          {changeRatio !== null && ` (${formatChangeRatio(changeRatio)})`}
        </Text>
        <Badge color={color}>{label}</Badge>
      </Group>
      {explanation && explanation.changeNs !== 0 && !isNoise && <Text>{answer(explanation)}</Text>}
      <Text size="sm" c="dimmed">
        {noiseFrom === null
          ? 'How much such runs differ by chance is not known: it takes five runs of a side, or a longer history.'
          : NOISE[noiseFrom]}
      </Text>
    </Paper>
  );
}
