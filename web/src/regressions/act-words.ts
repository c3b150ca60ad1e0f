import { metricName } from '../explanation/change-words';
import { type Person } from './people';
import { type Regression } from './regression-query';

export type HistoryAct = Regression['acts'][number];

const ACTS: Readonly<Record<string, string>> = {
  opened: 'Found',
  worsened: 'Got worse',
  improved: 'Got better, and is not good yet',
  recovered: 'Resolved: the runs are good again',
  reopened: 'Opened again',
  confirmed: 'Confirmed: the runs since are good',
  'no-runs-left': 'Resolved: its runs were deleted',
  acknowledged: 'Acknowledged',
  assigned: 'Assigned',
  unassigned: 'Taken from whoever had it',
  muted: 'Muted',
  unmuted: 'Unmuted',
  fixed: 'Resolved: said to be fixed',
  accepted: 'Resolved: accepted as the new baseline',
  'no-regression': 'Resolved: no regression',
};
/** Reasons that the detector gives. */
const REASONS: Readonly<Record<string, string>> = {
  'came-back': 'It was good, and is bad again.',
  'still-there': 'Runs that began later are as slow as before.',
};

/** What was done; one that a later release adds shows its id. */
export function actWords({ act, assigneeId }: HistoryAct, people: readonly Person[]): string {
  const words = ACTS[act] ?? act;
  if (assigneeId === null) return words;
  const person = people.find(({ userId }) => userId === assigneeId);
  return person ? `${words} to ${person.name || person.email}` : `${words} to a member`;
}

/** Why it was done. */
export function reasonWords({ act, actor, reason }: HistoryAct): string | null {
  if (reason === null || actor !== null) return reason;
  return act === 'worsened' ? `${metricName(reason)} moved too.` : (REASONS[reason] ?? reason);
}

/** By whom it was done. */
export function actorWords({ actor }: HistoryAct): string {
  return actor === null ? 'The detector' : (actor.name ?? 'Somebody who left');
}
