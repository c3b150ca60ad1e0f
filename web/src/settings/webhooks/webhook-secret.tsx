import { Text } from '@mantine/core';
import { ShownOnce } from '../shown-once';

/** The key that a webhook signs with, and what it is for. */
export function WebhookSecret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <ShownOnce what="the signing secret" secret={secret} close={close}>
      <Text size="sm">
        Each request has a header Stallscope-Signature. Give the receiver the secret, so that it can tell
        requests of Stallscope from those of others.
      </Text>
    </ShownOnce>
  );
}
