import { Alert, Loader, Text } from '@mantine/core';
import { type Schemas } from '../api/client';
import { Command } from '../states/copyable';

/** What a run that has no report yet, or is analysed again, is waiting for; nothing for one that is done. */
export function RunProgress({ run }: { run: Schemas['Run'] }) {
  switch (run.state) {
    case 'done':
      return null;
    case 'failed':
      return (
        <Alert role="alert" color="red" title="The analysis failed">
          <Text size="sm">{run.failure?.reason}</Text>
        </Alert>
      );
    case 'awaitingUpload':
      return (
        <Alert title="Its files are not here yet">
          <Text size="sm" mb="xs">
            The analysis begins when all of its files are uploaded and the upload is completed:
          </Text>
          <Command
            text={`curl -X POST -H "Authorization: Bearer $TOKEN" ${location.origin}/v1/runs/${run.id}/complete`}
          />
        </Alert>
      );
    case 'queued':
    case 'analyzing':
      return (
        <Alert role="status" icon={<Loader size={16} aria-hidden />} title={underWay(run)}>
          <Text size="sm">The report appears here by itself.</Text>
        </Alert>
      );
  }
}

function underWay({ state, runsAhead, analyses }: Schemas['Run']): string {
  const again = analyses.length > 0 ? ' again' : '';
  if (state === 'analyzing') return `It is being analysed${again}`;
  return runsAhead ? `${runsAhead} runs are analysed before it` : `It is analysed${again} next`;
}
