import { Checkbox, SimpleGrid } from '@mantine/core';
import { type Schemas } from '../../api/client';

export type EventType = NonNullable<Schemas['NewWebhook']['events']>[number];

/** What a webhook can be told of. */
const EVENTS: Record<EventType, string> = {
  'run.created': 'A run was made',
  'run.queued': 'It waits for its analysis',
  'run.analyzing': 'Its analysis began',
  'run.done': 'Its report is there',
  'run.failed': 'Its analysis failed',
  'regression.opened': 'A series got worse',
  'regression.resolved': 'It is over',
  'regression.reopened': 'It is back',
};
/** What the API takes for a webhook that does not say. */
export const USUAL_EVENTS: readonly string[] = [
  ...['run.done', 'run.failed'],
  ...['regression.opened', 'regression.resolved', 'regression.reopened'],
];

/** The fields `events` of a form. */
export function EventChoice({ initial }: { initial: readonly string[] }) {
  return (
    <Checkbox.Group label="Events" defaultValue={[...initial]} required>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt={6}>
        {Object.entries(EVENTS).map(([event, what]) => (
          <Checkbox key={event} name="events" value={event} label={event} description={what} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
