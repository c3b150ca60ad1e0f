import { type HostColumns } from '../../timeline/host-columns';
import { HostEventKind } from '../../timeline/rank-timeline';
import { NS_PER_US } from '../../units/time';
import { type NameLookup } from './name-lookup';

/** Words for a step, most telling first, before its number if it has one: `step 12`, `Iteration: 12/500`, `train_step`. */
const STEP_WORDS = ['step', 'iter(?:ation)?', '(?:mini)?batch'];
const STEP_NAMES = STEP_WORDS.map(
  (word) =>
    new RegExp(
      `^(?:(?:train(?:ing)?|global)[ _.-]?)?${word}(?:[ _.:=#(\\[-]*(\\d{1,9})[)\\]]?(?: ?(?:/|of) ?\\d+)?)?$`,
      'i',
    ),
);
const PROFILER_STEP = /^ProfilerStep#?\d{1,9}$/;

interface Candidate {
  rows: number[];
  /** Numbers as written; NaN where a range has none. */
  numbers: number[];
}

/**
 * Finds the ranges that mark training steps, as people name them, and gives them the name of step markers
 * (`ProfilerStep#12`), so that they are one for everything after. Ranges without a number are numbered in order. Of
 * several threads the one with the most ranges counts. Nothing is done where the trace has step markers already.
 */
export function markSteps(host: HostColumns, names: NameLookup): void {
  const candidates = new Map<string, Candidate>();
  const kinds = new Map<number, { word: number; number: number } | null>();
  for (let row = 0; row < host.count; row++) {
    if (host.kind[row] !== HostEventKind.annotation) continue;
    const nameId = host.nameId[row];
    let kind = kinds.get(nameId);
    if (kind === undefined) {
      const name = names.strings.get(nameId);
      if (PROFILER_STEP.test(name)) return;
      kinds.set(nameId, (kind = stepNamed(name)));
    }
    if (!kind) continue;
    const hasNumber = !Number.isNaN(kind.number);
    const key = `${kind.word} ${hasNumber ? 0 : 1} ${host.threadIndex[row]}`;
    const candidate = candidates.get(key) ?? { rows: [], numbers: [] };
    candidates.set(key, candidate);
    candidate.rows.push(row);
    candidate.numbers.push(kind.number);
  }
  const best = [...candidates]
    .filter(([, { rows }]) => !overlap(host, rows))
    .sort(([a, x], [b, y]) => rankOf(a) - rankOf(b) || y.rows.length - x.rows.length)
    .at(0)?.[1];
  const inOrder = best
    ? best.rows.map((_, i) => i).sort((a, b) => compare(host, best.rows[a], best.rows[b]))
    : [];
  for (const [order, i] of inOrder.entries()) {
    const number = best?.numbers[i] ?? NaN;
    host.nameId[best?.rows[i] ?? 0] = names.intern(`ProfilerStep#${Number.isNaN(number) ? order : number}`);
  }
}

function stepNamed(name: string): { word: number; number: number } | null {
  for (const [word, pattern] of STEP_NAMES.entries()) {
    const match = pattern.exec(name);
    if (match) return { word, number: Number(match[1] ?? NaN) };
  }
  return null;
}

/** Numbered ranges before others, then by their word. */
function rankOf(key: string): number {
  const [word, unnumbered] = key.split(' ').map(Number);
  return unnumbered * STEP_WORDS.length + word;
}

/** Steps follow each other; ranges that overlap are something else of the same name. */
function overlap(host: HostColumns, rows: readonly number[]): boolean {
  const sorted = [...rows].sort((a, b) => compare(host, a, b));
  return sorted.some(
    (row, i) => i > 0 && startOf(host, row) < startOf(host, sorted[i - 1]) + host.durationNs[sorted[i - 1]],
  );
}

function compare(host: HostColumns, a: number, b: number): number {
  return startOf(host, a) - startOf(host, b);
}

function startOf(host: HostColumns, row: number): number {
  return host.startUs[row] * NS_PER_US + host.startNs[row];
}
