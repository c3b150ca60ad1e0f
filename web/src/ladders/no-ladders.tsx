import { Paper, Stack, Text, Title } from '@mantine/core';
import { Command } from '../states/copyable';

/** What a ladder is, and how to see one without a server. */
export function NoLadders() {
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          There is no ladder yet
        </Title>
        <Text size="sm">
          A ladder puts runs in a row: the baseline first, then one changed thing each. Whoever may send runs
          makes one here. The same table for folders of runs, without sending them:
        </Text>
        <Command text="stallscope ladder ./baseline ./bf16 ./flash-attention" />
      </Stack>
    </Paper>
  );
}
