import { type Schemas } from '../api/client';

type Request = Schemas['CompareRequest'];
type RequestedSide = Request['before'];
/** What is needed of a run to find those before it. */
type Placed = Pick<Schemas['Run'], 'seriesId' | 'branch' | 'startedAt' | 'createdAt'>;

type Conditions = Omit<NonNullable<RequestedSide['filter']>, 'limit'>;

/** What the address says of one side: runs by id or by conditions, or those of the series before the other side's run. */
export type Side = { ids: string[] } | { conditions: Conditions } | { before: number };

/** Words for runs that the address does not name. */
const EARLIER: Readonly<Record<string, number>> = { previous: 1, 'previous-10': 10 };
/** Most runs of a side that is told by conditions: the API takes no more. */
const MOST_RUNS = 200;

/** Reads a side of the address; null when it is not there. The API says what is wrong with ids and conditions. */
export function readSide(text: string | null): Side | null {
  if (!text) return null;
  if (text.includes('=')) return { conditions: Object.fromEntries(new URLSearchParams(text)) };
  return Object.hasOwn(EARLIER, text) ? { before: EARLIER[text] } : { ids: text.split(',') };
}

export const idsOf = (side: Side | null): string[] => (side && 'ids' in side ? side.ids : []);

/** The request of a comparison; null while the run is not known that `base` is told by, or when it is in no series. */
export function toRequest(base: Side, head: Side, headRun: Placed | undefined): Request | null {
  const [before, after] = [toSide(base, headRun), toSide(head, undefined)];
  return before && after && { before, after };
}

function toSide(side: Side, other: Placed | undefined): RequestedSide | null {
  if ('ids' in side) return { runIds: side.ids };
  if ('conditions' in side) return { filter: { ...side.conditions, limit: MOST_RUNS } };
  return earlierThan(other, side.before);
}

function earlierThan(run: Placed | undefined, limit: number): RequestedSide | null {
  if (!run?.seriesId) return null;
  const { seriesId, branch, startedAt, createdAt } = run;
  return { filter: { seriesId, ...(branch && { branch }), to: startedAt ?? createdAt, limit } };
}

/** The id of a run in what somebody pasted: the id itself, or an address with it. The last one counts. */
export function idIn(text: string): string | null {
  const ids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi);
  return ids?.at(-1)?.toLowerCase() ?? null;
}
