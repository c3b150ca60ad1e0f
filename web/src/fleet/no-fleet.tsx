import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { Command } from '../states/copyable';
import { type useFleetFilters } from './use-fleet-filters';

/** Why there is nothing to sum, and what to do about it. */
export function NoFleet({ filters }: { filters: ReturnType<typeof useFleetFilters> }) {
  if (filters.isFiltered) {
    return (
      <Stack align="center" py="xl">
        <Text>No finished run matches all of these filters.</Text>
        <Button variant="default" onClick={filters.clear}>
          Show the last 30 days
        </Button>
      </Stack>
    );
  }
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          No run of the last 30 days
        </Title>
        <Text size="sm">
          Send runs with the number of their ranks and how many seconds the job ran. One is enough to say
          where its GPU-hours went:
        </Text>
        <Command text="stallscope upload trace.pt.trace.json.gz --model mine --cluster here --world-size 64 --duration-s 86400" />
        <Text size="sm" c="dimmed">
          Older runs appear when a time is chosen above.
        </Text>
      </Stack>
    </Paper>
  );
}
