import { Alert, Text } from '@mantine/core';
import { DifferenceTable } from './difference-table';
import { type Comparison } from './use-comparison';

/** That runs are of different series, and in what; and which of them have no report. Nothing when all is well. */
export function NotAlike({ comparison }: { comparison: Comparison }) {
  const { comparable, differences, before, after } = comparison;
  const without = before.withoutReport.length + after.withoutReport.length;
  return (
    <>
      {!comparable && (
        <Alert
          variant="default"
          style={{ borderLeft: '4px solid var(--mantine-color-yellow-filled)' }}
          title="These runs are not alike"
        >
          <Text size="sm" mb="xs">
            They are not of one series, so a difference may come from this alone:
          </Text>
          <DifferenceTable label="What they are not alike in" differences={differences} />
        </Alert>
      )}
      {without > 0 && (
        <Alert color="gray" title={without === 1 ? 'A run is left out' : `${without} runs are left out`}>
          <Text size="sm">Without a report there is nothing to compare.</Text>
        </Alert>
      )}
    </>
  );
}
