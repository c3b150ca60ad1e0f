import { NativeSelect, Stack, Text } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { fieldsOf } from '../../session/fields-of';
import { ProblemAlert } from '../../states/problem-alert';
import { Dialog } from '../dialog';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';
import { TokenShown } from './token-shown';

const GRACES = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

type Token = Schemas['Token'];

/**
 * Replaces a token by a new one and shows it, this once. It stands beside the list: the row of the token may be another one,
 * or on another page, while the new one is still to be copied.
 */
export function RotateTokenDialog({ token, close }: { token: Token | null; close: () => void }) {
  return (
    <Dialog title={`Rotate ${token?.name ?? ''}`} opened={token !== null} close={close}>
      {token && <RotateToken token={token} close={close} />}
    </Dialog>
  );
}

function RotateToken({ token: { id }, close }: { token: Token; close: () => void }) {
  const rotate = useAct((api, graceS: number) =>
    unwrap(api.POST('/v1/tokens/{id}/rotate', { params: { path: { id } }, body: { graceS } })),
  );
  if (rotate.data) return <TokenShown token={rotate.data} close={close} />;
  return (
    <form onSubmit={(event) => rotate.mutate(Number(fieldsOf(event).text('grace')))}>
      <Stack>
        <Text size="sm">
          You get a new token with the same name, scopes and limits, and with the whole lifetime anew. The old
          one goes on for the time that you need to put the new one in its place.
        </Text>
        <NativeSelect
          name="grace"
          label="The old token still works for"
          data={GRACES}
          defaultValue="86400"
          w={240}
        />
        {rotate.error && <ProblemAlert error={rotate.error} />}
        <FormButtons submit="Rotate" isPending={rotate.isPending} close={close} />
      </Stack>
    </form>
  );
}
