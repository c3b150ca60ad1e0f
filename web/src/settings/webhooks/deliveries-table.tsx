import { Badge, Group, Table, Text } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { ActButton } from '../act-button';
import { DialogButton } from '../dialog-button';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { DeliveryBody } from './delivery-body';

type Delivery = Schemas['DeliverySummary'];

const COLORS: Record<Delivery['state'], string> = { pending: 'blue', delivered: 'teal', failed: 'red' };

interface Props {
  webhookId: string;
  deliveries: readonly Delivery[];
  /** Whether the webhook is enabled. */
  canSend: boolean;
}

/** Deliveries with what the receiver answered. */
export function DeliveriesTable({ webhookId, deliveries, canSend }: Props) {
  return (
    <ListTable
      label="Deliveries"
      minWidthPx={720}
      columns={[
        ...['Event', 'State', 'Last answer'],
        { name: 'Attempts', kind: 'figure' },
        { name: 'Took', kind: 'figure' },
        ...['Made', { name: 'Acts', kind: 'acts' as const }],
      ]}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} canSend={canSend} />
      ))}
    </ListTable>
  );
}

interface RowProps extends Pick<Props, 'webhookId' | 'canSend'> {
  delivery: Delivery;
}

function DeliveryRow({ webhookId, delivery, canSend }: RowProps) {
  const { id: deliveryId, eventType, state, attempts, lastDurationMs, createdAt, redeliveryOf } = delivery;
  return (
    <Table.Tr>
      <Table.Td>
        {eventType}
        {redeliveryOf !== null && (
          <Text size="xs" c="dimmed">
            once more
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge color={COLORS[state]}>{state}</Badge>
      </Table.Td>
      <Table.Td className={classes.anywhere} maw={260}>
        <Answer delivery={delivery} />
      </Table.Td>
      <Table.Td className={classes.figure}>{attempts}</Table.Td>
      <Table.Td className={classes.figure}>{lastDurationMs === null ? '–' : `${lastDurationMs} ms`}</Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td className={classes.acts}>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <DialogButton label="Body" to={`${eventType}, ${createdAt}`} title={eventType} isPassing>
            {() => <DeliveryBody webhookId={webhookId} deliveryId={deliveryId} />}
          </DialogButton>
          {canSend && state !== 'pending' && (
            <ActButton
              label="Redeliver"
              to={`${eventType}, ${createdAt}`}
              said={`${eventType} is sent once more.`}
              act={(api) =>
                unwrap(
                  api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
                    params: { path: { id: webhookId, deliveryId } },
                  }),
                )
              }
            />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Answer({ delivery: { lastStatus, lastError, nextAttemptAt, attempts } }: { delivery: Delivery }) {
  return (
    <>
      {lastError ?? (lastStatus === null ? 'none yet' : `HTTP ${lastStatus}`)}
      {nextAttemptAt !== null && attempts > 0 && (
        <Text size="xs" c="dimmed">
          Next attempt <When at={nextAttemptAt} />
        </Text>
      )}
    </>
  );
}
