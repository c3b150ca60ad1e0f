import { formatFigure, formatNs, formatRatio } from '../../../src/presentation/quantity';
import { METRIC_WORDING } from '../../../src/presentation/wording/metrics';

/** A metric that moved, as the API tells it. */
export interface Moved {
  metricId: string;
  unit: string;
  before: number;
  after: number;
  changeRatio: number | null;
}

export const metricName = (id: string): string => METRIC_WORDING[id]?.name ?? id;

/** A change with its sign, such as `+12.0 ms`; none without one. */
export const formatChange = (ns: number): string => signed(ns, formatNs);

/** A relative change with its sign, such as `+12 %`; nothing where it is not known. */
export const formatChangeRatio = (ratio: number | null): string =>
  ratio === null ? '' : signed(ratio, formatRatio);

/** What a metric did, in words: `rose from 100 ms to 120 ms`. */
export function movement({ unit, before, after }: Moved): string {
  const verb = after > before ? 'rose' : 'fell';
  const [from, to] = [before, after].map((value) => formatFigure({ value, unit }));
  return `${verb} from ${from} to ${to}`;
}

function signed(value: number, format: (value: number) => string): string {
  const text = format(Math.abs(value));
  // What is written as nothing has no sign.
  if (Number.parseFloat(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}
