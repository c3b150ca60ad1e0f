import { Anchor, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Schemas, teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { webhookAddress } from '../../session/addresses';
import { useTitle } from '../../shell/use-title';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Pager, useCursor } from '../pager';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { NewWebhookButton } from './new-webhook-button';
import { WebhookBadge } from './webhook-badge';

/** The webhooks of the team. */
export function WebhooksPage() {
  useTitle('Webhooks');
  const { team = '' } = useParams();
  const list = useCursor();
  const { cursor } = list;
  const webhooks = useQuery({
    queryKey: [team, 'webhooks', cursor],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/webhooks', { params: { query: { cursor } }, signal })),
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1} size="h2">
          Webhooks
        </Title>
        <NewWebhookButton />
      </Group>
      {webhooks.error && <ProblemAlert error={webhooks.error} retry={webhooks.refetch} />}
      {webhooks.isPending && <Loading what="Loading the webhooks" />}
      {webhooks.data?.items.length === 0 && (
        <Paper withBorder p="lg">
          <Text size="sm">
            There is no webhook. One tells a receiver of yours, or a channel of Slack, when a report is there,
            a run failed or a series got worse.
          </Text>
        </Paper>
      )}
      {webhooks.data && webhooks.data.items.length > 0 && (
        <ListTable label="Webhooks" minWidthPx={640} columns={['Webhook', 'State', 'Events', 'Made']}>
          {webhooks.data.items.map((webhook) => (
            <WebhookRow key={webhook.id} team={team} webhook={webhook} />
          ))}
        </ListTable>
      )}
      {webhooks.data && <Pager list={list} next={webhooks.data.nextCursor} />}
    </Stack>
  );
}

function WebhookRow({ team, webhook }: { team: string; webhook: Schemas['WebhookSummary'] }) {
  const { id, url, description, events, createdAt } = webhook;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere} miw={280}>
        <Anchor component={Link} to={webhookAddress(team, id)} fw={600} size="sm">
          {description || url}
        </Anchor>
        {description !== '' && (
          <Text size="sm" c="dimmed">
            {url}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <WebhookBadge webhook={webhook} />
      </Table.Td>
      <Table.Td>{events.join(', ')}</Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
