import { Group, Text } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { settingsAddress } from '../../session/addresses';
import { ActButton } from '../act-button';
import { ConfirmButton } from '../confirm-button';
import { EditWebhookButton } from './edit-webhook-button';
import { NewSecretButton } from './new-secret-button';

/** What may be done about a webhook. */
export function WebhookActs({ webhook }: { webhook: Schemas['Webhook'] }) {
  const { team = '' } = useParams();
  const navigate = useNavigate();
  const { id, enabled } = webhook;
  const params = { path: { id } };
  const toList = () => {
    const list = settingsAddress(team, 'webhooks');
    void navigate(list, { replace: true });
    return list;
  };
  return (
    <Group gap="xs">
      {enabled && (
        <ActButton
          size="xs"
          label="Send a test event"
          said="The test event is on its way; see the deliveries."
          act={(api) => unwrap(api.POST('/v1/webhooks/{id}/test', { params }))}
        />
      )}
      <EditWebhookButton webhook={webhook} />
      {enabled ? (
        <ConfirmButton
          size="xs"
          label="Disable"
          title="Disable the webhook?"
          confirm="Disable"
          said="The webhook is disabled."
          act={(api) => unwrap(api.PATCH('/v1/webhooks/{id}', { params, body: { enabled: false } }))}
        >
          <Text size="sm">
            What is still to be sent ends, and events that happen meanwhile are not kept for later.
          </Text>
        </ConfirmButton>
      ) : (
        <ActButton
          size="xs"
          label="Enable"
          said="The webhook is enabled."
          act={(api) => unwrap(api.PATCH('/v1/webhooks/{id}', { params, body: { enabled: true } }))}
        />
      )}
      <NewSecretButton id={id} />
      <ConfirmButton
        size="xs"
        label="Delete"
        title="Delete the webhook?"
        confirm="Delete"
        said="The webhook is deleted."
        leave={toList}
        act={(api) => unwrap(api.DELETE('/v1/webhooks/{id}', { params }))}
      >
        <Text size="sm">The record of its deliveries is deleted with it, for good.</Text>
      </ConfirmButton>
    </Group>
  );
}
