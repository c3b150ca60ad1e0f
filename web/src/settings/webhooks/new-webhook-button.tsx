import { Stack } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { ProblemAlert } from '../../states/problem-alert';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';
import { WebhookFields, webhookOf } from './webhook-fields';
import { WebhookSecret } from './webhook-secret';

/** Creates a webhook and shows its secret, this once. */
export function NewWebhookButton() {
  return (
    <DialogButton label="New webhook" title="New webhook" size="sm" variant="filled">
      {(close) => <NewWebhook close={close} />}
    </DialogButton>
  );
}

function NewWebhook({ close }: { close: () => void }) {
  const create = useAct((api, body: Schemas['NewWebhook']) => unwrap(api.POST('/v1/webhooks', { body })));
  if (create.data) return <WebhookSecret secret={create.data.secret} close={close} />;
  return (
    <form onSubmit={(event) => create.mutate({ ...webhookOf(event), enabled: true })}>
      <Stack>
        <WebhookFields />
        {create.error && <ProblemAlert error={create.error} />}
        <FormButtons submit="Create the webhook" isPending={create.isPending} close={close} />
      </Stack>
    </form>
  );
}
