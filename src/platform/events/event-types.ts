/** Everything that can happen to a team's things and that somebody may want to be told. Stable: webhooks name them. */
export const eventTypes = [
  'run.created',
  'run.queued',
  'run.analyzing',
  'run.done',
  'run.failed',
  'regression.opened',
  'regression.resolved',
  'regression.reopened',
] as const;
export type EventType = (typeof eventTypes)[number];
