import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Pager, useCursor } from '../pager';
import { Part } from '../part';
import { DeliveriesTable } from './deliveries-table';

type State = 'pending' | 'delivered' | 'failed';

/** While one is to be sent, the deliveries are asked for again this often. */
const LIVE_EVERY_MS = 2_000;
/** Otherwise, so that new ones appear. */
const IDLE_EVERY_MS = 10_000;

/** What was sent to a webhook and what is to be, the newest first. */
export function Deliveries({ id, isEnabled }: { id: string; isEnabled: boolean }) {
  const { team = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const state = (parameters.get('state') ?? undefined) as State | undefined;
  const list = useCursor();
  const query = { state, cursor: list.cursor, limit: 25 };
  const deliveries = useQuery({
    queryKey: [team, 'webhooks', 'one', id, 'deliveries', query],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((one) => one.state === 'pending') ? LIVE_EVERY_MS : IDLE_EVERY_MS,
  });
  return (
    <Part title="Deliveries">
      <NativeSelect
        label="State"
        size="xs"
        w={132}
        value={state ?? ''}
        onChange={({ currentTarget: { value } }) => setParameters(value ? { state: value } : {})}
        data={[{ value: '', label: 'Any' }, 'pending', 'delivered', 'failed']}
      />
      {deliveries.error && <ProblemAlert error={deliveries.error} retry={deliveries.refetch} />}
      {deliveries.isPending && <Loading what="Loading the deliveries" />}
      {deliveries.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {state ? `None is ${state}.` : 'Nothing was sent yet. Send a test event to see whether it arrives.'}
        </Text>
      )}
      {deliveries.data && deliveries.data.items.length > 0 && (
        <DeliveriesTable webhookId={id} deliveries={deliveries.data.items} canSend={isEnabled} />
      )}
      {deliveries.data && <Pager list={list} next={deliveries.data.nextCursor} />}
    </Part>
  );
}
