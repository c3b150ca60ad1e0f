import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Schemas, teamApi } from '../../api/client';
import { ProblemError, unwrap } from '../../api/problem';
import { settingsAddress } from '../../session/addresses';
import { NotFoundPage } from '../../shell/not-found-page';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import classes from '../settings.module.css';
import { Deliveries } from './deliveries';
import { REASONS, WebhookBadge } from './webhook-badge';
import { WebhookActs } from './webhook-acts';

/** Deliveries change whether it works; it is asked for again this often. */
const EVERY_MS = 5_000;

/** A webhook, whether it works, and what was sent to it. */
export function WebhookPage() {
  useTitle('Webhook');
  const { team = '', webhookId: id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [team, 'webhooks', 'one', id],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: EVERY_MS,
  });
  if (error) {
    const status = error instanceof ProblemError ? error.problem.status : 0;
    return status === 404 || status === 400 ? (
      <NotFoundPage />
    ) : (
      <ProblemAlert error={error} retry={refetch} />
    );
  }
  if (!data) return <Loading what="Loading the webhook" />;
  return (
    <Stack>
      <Anchor component={Link} to={settingsAddress(team, 'webhooks')} size="sm">
        All webhooks
      </Anchor>
      <WebhookHead webhook={data} />
      <WebhookActs webhook={data} />
      <Deliveries id={id} isEnabled={data.enabled} />
    </Stack>
  );
}

function WebhookHead({ webhook }: { webhook: Schemas['Webhook'] }) {
  const { url, description, events, payloadFormat, disabledReason, previousSecretUntil } = webhook;
  return (
    <Stack gap={4} className={classes.anywhere}>
      <Group gap="sm">
        <Title order={1} size="h2">
          {description || 'Webhook'}
        </Title>
        <WebhookBadge webhook={webhook} />
      </Group>
      <Text size="sm">{url}</Text>
      <Text size="sm" c="dimmed">
        {payloadFormat === 'slack' ? 'As a message for Slack' : 'As JSON'}, on {events.join(', ')}
      </Text>
      {previousSecretUntil !== null && (
        <Text size="sm" c="dimmed">
          The secret before this one signs as well until {new Date(previousSecretUntil).toLocaleString()}.
        </Text>
      )}
      {disabledReason !== null && (
        <Alert color="yellow" mt="xs">
          {REASONS[disabledReason] ?? `The webhook was disabled: ${disabledReason}.`} Repair the receiver,
          then enable it. What happens meanwhile is not kept.
        </Alert>
      )}
    </Stack>
  );
}
