import { Checkbox, Stack } from '@mantine/core';
import { type Schemas } from '../../api/client';

export type Scope = Schemas['NewToken']['scopes'][number];

/** What a token with the scope may do. */
const SCOPES: Record<Scope, string> = {
  'runs:read': 'Read runs, reports, trends and usage.',
  'runs:write': 'Upload runs, and handle regressions and ladders.',
  'gates:evaluate': 'Ask gates for a verdict.',
  admin: 'Manage members, tokens, webhooks and settings, and delete runs.',
};

/** The fields `scopes` of a form. */
export function ScopeChoice() {
  return (
    <Checkbox.Group label="Scopes" description="What it may do; choose one at least." required>
      <Stack gap="xs" mt={6}>
        {Object.entries(SCOPES).map(([scope, may]) => (
          <Checkbox key={scope} name="scopes" value={scope} label={scope} description={may} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
