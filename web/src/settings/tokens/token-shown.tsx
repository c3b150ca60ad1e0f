import { Stack, Text } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { Command } from '../../states/copyable';
import { ShownOnce } from '../shown-once';
import { commandWith } from './token-command';

/** A token that was made just now, and how it is used. */
export function TokenShown({ token, close }: { token: Schemas['CreatedToken']; close: () => void }) {
  return (
    <ShownOnce what="the token" secret={token.token} close={close}>
      <Stack gap={4}>
        <Text size="sm">{token.scopes.includes('runs:write') ? 'Upload a run with it:' : 'Try it:'}</Text>
        <Command text={commandWith(token, location.origin)} />
      </Stack>
    </ShownOnce>
  );
}
