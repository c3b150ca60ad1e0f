import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';

/** What is sent, laid out. */
export function DeliveryBody({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { team = '' } = useParams();
  const path = { id: webhookId, deliveryId };
  const { data, error, refetch } = useQuery({
    queryKey: [team, 'webhooks', 'one', webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path }, signal })),
  });
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (!data) return <Loading what="Loading the body" />;
  return (
    <Code block tabIndex={0} mah={480} style={{ overflow: 'auto' }}>
      {laidOut(data.body)}
    </Code>
  );
}

function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
