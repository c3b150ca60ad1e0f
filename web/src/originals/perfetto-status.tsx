import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { formatBytes } from '../../../src/presentation/quantity';
import { ProblemAlert } from '../states/problem-alert';
import { type Perfetto } from './use-perfetto';

/** How far a trace is on its way to Perfetto; nothing while none is. */
export function PerfettoStatus({ perfetto }: { perfetto: Perfetto }) {
  const { artifact, error, isOpening, isOpened, doneBytes, cancel } = perfetto;
  if (error) return <ProblemAlert error={error} withCloseButton onClose={cancel} closeButtonLabel="Close" />;
  if (isOpened)
    return (
      <Alert role="status" color="teal" withCloseButton onClose={cancel} closeButtonLabel="Close">
        {artifact?.name} is in the window of Perfetto, which may ask whether it may open traces from here.
      </Alert>
    );
  if (!isOpening || !artifact) return null;
  const { name, sizeBytes } = artifact;
  const isHere = doneBytes === sizeBytes;
  return (
    <Alert role="status" aria-label="On the way to Perfetto">
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {isHere
            ? `${name} is here; waiting for Perfetto`
            : `${name}: ${formatBytes(doneBytes)} of ${formatBytes(sizeBytes)}`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mb={6}>
        From this browser to ui.perfetto.dev in the other window. It is uploaded nowhere.
      </Text>
      <Progress value={(100 * doneBytes) / Math.max(1, sizeBytes)} aria-label="Bytes fetched" />
    </Alert>
  );
}
