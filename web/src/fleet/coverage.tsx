import { Text } from '@mantine/core';
import { Command } from '../states/copyable';
import { type Usage } from './causes';

/** What the sums stand on, and what is not in them. */
export function Coverage({ total: { runs, runsWithGpuHours, runsWithSteps } }: { total: Usage }) {
  const silent = runs - runsWithGpuHours;
  const stepless = runs - runsWithSteps;
  const are = (n: number) => (n === 1 ? '1 run' : `${n} runs`);
  return (
    <>
      <Text size="sm" c="dimmed">
        {are(runs)}, finished and kept.{' '}
        {silent > 0 &&
          `${are(silent)} did not say how long on how many GPUs: their GPU-hours are not known, and not in the sums. `}
        {stepless > 0 &&
          `${are(stepless)} had no steps with device activity: where their time went is not known, and not in the shares.`}
        {silent === 0 &&
          stepless === 0 &&
          'All of them say how long, on how many GPUs, and where the time went.'}
      </Text>
      {silent > 0 && (
        <details>
          <summary>How to send GPU-hours</summary>
          <Text size="sm" my="xs">
            When the job ends, say how many ranks it had and how many seconds it ran:
          </Text>
          <Command text="stallscope upload trace.pt.trace.json.gz --model mine --cluster here --world-size 64 --duration-s 86400" />
        </details>
      )}
    </>
  );
}
