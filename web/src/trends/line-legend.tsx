import { Group, Text } from '@mantine/core';
import { LINE_COLORS } from './trend-colors';
import { type TrendLine } from './trend-lines';
import { MOST_LINES } from './trend-plot';

/** Names of the lines, and how many are not drawn. A single line needs none. */
export function LineLegend({ lines }: { lines: readonly TrendLine[] }) {
  if (lines.length < 2) return null;
  return (
    <Group component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
      {lines.slice(0, MOST_LINES).map(({ name, value }, i) => (
        <Group component="li" key={value ?? name} gap={6} wrap="nowrap">
          <span
            aria-hidden
            style={{ width: 12, height: 12, borderRadius: 3, flex: 'none', background: LINE_COLORS[i] }}
          />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
        </Group>
      ))}
      {lines.length > MOST_LINES && (
        <Text component="li" size="sm" c="dimmed">
          {lines.length - MOST_LINES} lines with fewer runs are not drawn: filter, or split by something else.
        </Text>
      )}
    </Group>
  );
}
