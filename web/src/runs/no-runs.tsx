import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { Command } from '../states/copyable';

/** Why there is nothing to see, and what to do about it. */
export function NoRuns({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (isFiltered) {
    return (
      <Stack align="center" py="xl">
        <Text>No run matches all of these filters.</Text>
        <Button variant="default" onClick={clear}>
          Show all runs
        </Button>
      </Stack>
    );
  }
  const command = `curl -T trace.json.gz -H "Authorization: Bearer $TOKEN" "${location.origin}/v1/ingest?model=mine&cluster=here"`;
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Send the first run
        </Title>
        <Text size="sm">
          One recording of the profiler is enough. With an API token that has the scope runs:write:
        </Text>
        <Command text={command} />
        <Text size="sm" c="dimmed">
          It appears here by itself, and its report usually within seconds.
        </Text>
      </Stack>
    </Paper>
  );
}
