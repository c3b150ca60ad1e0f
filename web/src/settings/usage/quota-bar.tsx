import { Group, Progress, Stack, Text } from '@mantine/core';
import { formatRatio } from '../../../../src/presentation/quantity';

/** From this share on it is time to do something. */
const NEAR = 0.8;

interface Props {
  name: string;
  used: number;
  limit: number;
  format: (value: number) => string;
  note: string;
}

/** How much of a limit is used: a bar, and the same in numbers. */
export function QuotaBar({ name, used, limit, format, note }: Props) {
  const share = limit > 0 ? used / limit : 1;
  const color = share >= 1 ? 'red' : share >= NEAR ? 'yellow' : 'indigo';
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" className="figures">
          {format(used)} of {format(limit)}
          {used > 0 && ` (${formatRatio(share)})`}
        </Text>
      </Group>
      <Progress value={Math.min(100, 100 * share)} color={color} aria-label={name} />
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Stack>
  );
}
