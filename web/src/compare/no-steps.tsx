import { Alert, Text } from '@mantine/core';
import { Section } from '../report/section';
import { Command } from '../states/copyable';
import { DifferenceTable } from './difference-table';
import { type Comparison } from './use-comparison';

const RECORDING = `with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=2, active=4)) as profiler:
    for batch in loader:
        train(batch)
        profiler.step()`;

/** A comparison of which one side has no steps: how to record them, and what is known besides. */
export function NoSteps({ configuration }: { configuration: Comparison['configuration'] }) {
  return (
    <>
      <Alert color="gray" title="Where the time went is not measurable">
        <Text size="sm" mb="xs">
          The recordings of a side have no training steps in them. Record some, and mark where each ends:
        </Text>
        <Command text={RECORDING} />
      </Alert>
      {configuration.length > 0 && (
        <Section title="What is set up differently">
          <DifferenceTable label="Differences of the configuration" differences={configuration} />
        </Section>
      )}
    </>
  );
}
