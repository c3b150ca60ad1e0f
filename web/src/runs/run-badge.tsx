import { Badge, Loader } from '@mantine/core';
import { type Schemas } from '../api/client';
import { STATES, VERDICTS } from './verdicts';

type Run = Pick<Schemas['RunSummary'], 'state' | 'verdict'>;

/** Whether something will happen to the run without anybody's doing. */
export const isUnderWay = ({ state }: Pick<Run, 'state'>) => state === 'queued' || state === 'analyzing';

/** The verdict of a run, or while there is none what it is waiting for. */
export function RunBadge({ run, size = 'md' }: { run: Run; size?: 'md' | 'lg' }) {
  if (isUnderWay(run)) {
    const { label, color } = STATES[run.state];
    return (
      <Badge size={size} variant="default" leftSection={<Loader size={10} color={color} aria-hidden />}>
        {label}
      </Badge>
    );
  }
  const bottleneck = run.verdict?.bottleneck;
  const { label, color } =
    bottleneck === undefined || run.state === 'failed'
      ? STATES[run.state]
      : (VERDICTS[bottleneck] ?? { label: bottleneck, color: 'gray' });
  return (
    <Badge size={size} color={color}>
      {label}
    </Badge>
  );
}
