import { Stack } from '@mantine/core';
import { Findings } from '../findings';
import { MeanStep } from '../mean-step';
import { type DetailProps } from './detail-props';
import { RecordNext } from './record-next';

/** Where the time goes and what to do; for a run that cannot be judged, how to record one that can. */
export function OverviewPanel({ of, shown }: DetailProps) {
  return (
    <Stack gap="lg">
      <MeanStep report={shown} />
      <Findings findings={shown.findings} />
      {shown.verdict.bottleneck === 'not-measurable' && <RecordNext of={of} />}
    </Stack>
  );
}
