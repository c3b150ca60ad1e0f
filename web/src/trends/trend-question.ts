import { useSearchParams } from 'react-router';
import { type paths } from '../api/schema';
import { startOfDay } from '../filters/start-of-day';
import { dayOf } from './time-text';

export type TrendQuery = paths['/v1/trends']['get']['parameters']['query'];

/** Conditions on the runs; each is a parameter of the address, of the same name as in the API. */
export const CONDITIONS = ['model', 'cluster', 'workload', 'branch', 'tag', 'gpu'] as const;
export type Condition = (typeof CONDITIONS)[number];
export type Parameter =
  Condition | 'metric' | 'series' | 'from' | 'to' | 'split' | 'x' | 'points' | 'before' | 'after';

export const USUAL_METRIC = 'step-time';
/** The API gives that many at once; more are shown by day. */
const MOST_POINTS = 10_000;
const USUAL_POINTS = 2_000;

/** A time that was chosen in the chart, both ends included. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** What the address asks for, and ways to ask for something else. */
export function useTrendQuestion() {
  const [parameters, setParameters] = useSearchParams();
  const change = (changes: Partial<Record<Parameter, string | null>>, { replace = false } = {}) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace },
    );
  const chooseRanges = (ranges: readonly TimeRange[]) => {
    const [before, after] = [...ranges].sort((a, b) => a.fromMs - b.fromMs).map(toText);
    change({ before: before ?? null, after: after ?? null }, { replace: true });
  };
  const choose = (range: TimeRange) => {
    // The address is ahead of what is drawn.
    const chosen = rangesOf(new URLSearchParams(location.search));
    // A third choice begins anew.
    chooseRanges(chosen.length === 1 ? [...chosen, range] : [range]);
  };
  return {
    get: (name: Parameter) => parameters.get(name) ?? '',
    change,
    query: toQuery(parameters),
    /** None, one, or two to compare, the earlier one first. */
    ranges: rangesOf(parameters),
    choose,
    dropRanges: () => chooseRanges([]),
    showOnly: ({ fromMs, toMs }: TimeRange) =>
      change({ from: dayOf(fromMs), to: dayOf(toMs), before: null, after: null }),
    /** Keeps what is shown, and of whom; drops all conditions but the model. */
    clear: () =>
      setParameters((before) => {
        const kept = ['metric', 'model', 'split', 'x'].flatMap((name) => {
          const value = before.get(name);
          return value === null ? [] : [[name, value]];
        });
        return new URLSearchParams(kept);
      }),
    hasScope: [...CONDITIONS, 'series'].some((name) => parameters.has(name)),
    isFiltered: [...CONDITIONS, 'series', 'from', 'to'].some(
      (name) => name !== 'model' && parameters.has(name),
    ),
  };
}
export type Question = ReturnType<typeof useTrendQuestion>;

function toQuery(parameters: URLSearchParams): TrendQuery {
  const text = (name: Parameter) => parameters.get(name) || undefined;
  const points = text('points');
  return {
    metric: text('metric') ?? USUAL_METRIC,
    by: points === 'days' ? 'day' : text('x') === 'commits' ? 'commit' : 'run',
    splitBy: (text('split') ?? 'series') as TrendQuery['splitBy'],
    limit: points === 'all' ? MOST_POINTS : USUAL_POINTS,
    seriesId: text('series'),
    ...Object.fromEntries(CONDITIONS.map((name) => [name, text(name)])),
    from: startOfDay(text('from'), 0),
    to: startOfDay(text('to'), 1),
  };
}

const toText = ({ fromMs, toMs }: TimeRange) => `${Math.floor(fromMs)}-${Math.ceil(toMs)}`;

const rangesOf = (parameters: URLSearchParams) =>
  ['before', 'after'].flatMap((name) => toRange(parameters.get(name)));

function toRange(text: string | null): TimeRange[] {
  const [, fromMs, toMs] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  return fromMs ? [{ fromMs: Number(fromMs), toMs: Number(toMs) }] : [];
}
