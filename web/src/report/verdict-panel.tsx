import { Group, Paper, Stack, Text } from '@mantine/core';
import { formatNs, formatRatio } from '../../../src/presentation/quantity';
import { VERDICTS } from '../runs/verdicts';
import { type ShownReport } from './report-query';

/** The answer: what holds the run back, how sure that is, and what removing it would give. */
export function VerdictPanel({ report }: { report: ShownReport }) {
  const { verdict, findings } = report;
  const first = findings.at(0);
  const color = VERDICTS[verdict.bottleneck]?.color ?? 'gray';
  const stepNs = first ? first.costNs + first.expectedStepNs : 0;
  const mfu = report.metrics.find(({ id }) => id === 'mfu')?.value;
  return (
    <Paper
      withBorder
      p="lg"
      style={{ borderLeft: `4px solid var(--mantine-color-${color}-filled)` }}
      component="section"
      aria-label="Verdict"
    >
      <Text size="lg" fw={600}>
        {verdict.summary}
      </Text>
      <Text size="sm" c="dimmed">
        Confidence: {verdict.confidence}
      </Text>
      <Group gap="xl" mt={first || mfu != null ? 'md' : 0} align="flex-start">
        {first && stepNs > 0 && (
          <>
            <Figure label="Step now" value={formatNs(stepNs)} />
            <Figure
              label="Without the bottleneck"
              value={formatNs(first.expectedStepNs)}
              note={`${times(stepNs / first.expectedStepNs)} as fast`}
            />
            <Figure label="Never less than" value={formatNs(first.leastStepNs)} />
          </>
        )}
        {mfu != null && <Figure label="MFU" value={formatRatio(mfu)} />}
      </Group>
    </Paper>
  );
}

function times(factor: number): string {
  return `${factor >= 10 ? factor.toFixed(0) : factor.toFixed(1)} times`;
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <Stack gap={0} className="figures">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={24} fw={600} lh={1.25}>
        {value}
      </Text>
      {note && <Text size="sm">{note}</Text>}
    </Stack>
  );
}
