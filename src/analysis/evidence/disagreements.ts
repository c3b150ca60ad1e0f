import { type Disagreement } from './evidence-schema';

/** What one source says; null when it says nothing. Sources stand in the order in which they are believed. */
export interface Statement {
  source: string;
  value: number | string | null;
}

/** How far numbers may be apart, of the believed one. Step times vary from run to run by some percent, printed figures are rounded. */
const TOLERANCE: Readonly<Record<Disagreement['subject'], number>> = {
  'step-time': 0.1,
  'peak-memory': 0.05,
  gpu: 0,
  'world-size': 0,
};

const UNITS: Readonly<Record<Disagreement['subject'], Disagreement['unit']>> = {
  'step-time': 'ns',
  'peak-memory': 'bytes',
  gpu: null,
  'world-size': 'count',
};

/** Null when all that say something agree with the first that does. Sources that say the same as another are told once. */
export function disagreementOf(
  subject: Disagreement['subject'],
  statements: readonly Statement[],
): Disagreement | null {
  const [believed, ...rest] = statements.flatMap(({ source, value }) =>
    value === null ? [] : [{ source, value }],
  );
  const others = rest.filter(({ value }) => !agree(believed.value, value, TOLERANCE[subject]));
  const distinct = others.filter(
    (one, i) => others.findIndex((o) => o.source === one.source && o.value === one.value) === i,
  );
  return distinct.length === 0 ? null : { subject, unit: UNITS[subject], believed, others: distinct };
}

function agree(a: number | string, b: number | string, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance * Math.abs(a);
  return String(a).toLowerCase() === String(b).toLowerCase();
}
