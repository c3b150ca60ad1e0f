import { Button, Group, Stack, Text } from '@mantine/core';
import { unwrap } from '../../api/problem';
import { ProblemAlert } from '../../states/problem-alert';
import { DialogButton } from '../dialog-button';
import { useAct } from '../use-act';
import { WebhookSecret } from './webhook-secret';

/** Gives a webhook a new signing secret and shows it, this once. */
export function NewSecretButton({ id }: { id: string }) {
  return (
    <DialogButton label="New secret" title="Give the webhook a new signing secret?" size="xs">
      {(close) => <NewSecret id={id} close={close} />}
    </DialogButton>
  );
}

function NewSecret({ id, close }: { id: string; close: () => void }) {
  const rotate = useAct((api) =>
    unwrap(api.POST('/v1/webhooks/{id}/rotate-secret', { params: { path: { id } } })),
  );
  if (rotate.data) return <WebhookSecret secret={rotate.data.secret} close={close} />;
  return (
    <Stack>
      <Text size="sm">
        For 24 hours requests are signed with the new and the old secret: give the receiver the new one within
        that time. If the old one has leaked, do this twice, and it ends at once.
      </Text>
      {rotate.error && <ProblemAlert error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Make a new secret
        </Button>
      </Group>
    </Stack>
  );
}
