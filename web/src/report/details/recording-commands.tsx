import { Stack, Text } from '@mantine/core';
import { Command } from '../../states/copyable';
import { type Recording } from '../report-query';

/** Commands and code that record what is missing, to copy. */
export function RecordingCommands({ commands }: { commands: Recording['commands'] }) {
  return (
    <Stack gap="xs">
      {commands.map(({ id, title, lines }) => (
        <div key={id}>
          <Text size="sm" mb={2}>
            {title}:
          </Text>
          <Command text={lines.join('\n')} />
        </div>
      ))}
    </Stack>
  );
}
