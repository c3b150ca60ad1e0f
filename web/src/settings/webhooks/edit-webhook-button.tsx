import { Stack } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { ProblemAlert } from '../../states/problem-alert';
import { useAnnounce } from '../announcements';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';
import { WebhookFields, webhookOf } from './webhook-fields';

interface Props {
  webhook: Schemas['Webhook'];
}

/** Changes a webhook. */
export function EditWebhookButton({ webhook }: Props) {
  return (
    <DialogButton label="Edit" title="Edit the webhook" size="xs">
      {(close) => <EditWebhook webhook={webhook} close={close} />}
    </DialogButton>
  );
}

function EditWebhook({ webhook, close }: Props & { close: () => void }) {
  const announce = useAnnounce();
  const change = useAct(
    (api, body: Schemas['WebhookChange']) =>
      unwrap(api.PATCH('/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body })),
    () => {
      close();
      announce('The webhook is changed.');
    },
  );
  return (
    <form onSubmit={(event) => change.mutate(webhookOf(event))}>
      <Stack>
        <WebhookFields webhook={webhook} />
        {change.error && <ProblemAlert error={change.error} />}
        <FormButtons submit="Save" isPending={change.isPending} close={close} />
      </Stack>
    </form>
  );
}
