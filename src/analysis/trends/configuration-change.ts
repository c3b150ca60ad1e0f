/** What a fact about a run belongs to. */
export type ConfigurationKind = 'workload' | 'hardware' | 'software' | 'loader' | 'environment' | 'other';

export interface ConfigurationChange {
  /** Path of the fact, such as `framework.version`. */
  name: string;
  kind: ConfigurationKind;
  /** Null where it was not told. */
  before: string | null;
  after: string | null;
}

/** The first pattern that fits the name decides. */
const KINDS: readonly (readonly [RegExp, ConfigurationKind])[] = [
  [/^(env|environment)\./, 'environment'],
  [/^loader(\.|$)/, 'loader'],
  [/^(framework|software)(\.|$)|driver|cuda|nccl|torch|version/i, 'software'],
  [/^hardware(\.|$)|^(gpu|gpus|nodes|interconnect)/i, 'hardware'],
  [
    /^(parallelism|batch)(\.|$)|^(dtype|world_?size|batch_?size|sequence_?length|seq_?len|(tokens|samples)_?per_?step|model|param|optimizer|attention|compile|grad\w*_?accum)/i,
    'workload',
  ],
];

/** Readings of a run, and what only tells it from others: no matter how it was set up. Files and clients spell them freely. */
const NO_SETUP =
  /(^|\.)(rank|steps_?timed|peak_?mem\w*|model_?flops\w*|commit|branch|uploadSha256)$|_(ns|ms|s)$/i;

/** Whether a fact says how a run was set up. */
export function isSetup(name: string): boolean {
  return !NO_SETUP.test(name);
}

/** What a fact belongs to, by its name. */
export function kindOfConfiguration(name: string): ConfigurationKind {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** The facts that differ, by name. A fact that only one side tells is a difference too, with null on the other. */
export function diffConfiguration(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): ConfigurationChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    const [old, recent] = [factOf(before, name), factOf(after, name)];
    return old === recent ? [] : [{ name, kind: kindOfConfiguration(name), before: old, after: recent }];
  });
}

/** Clients choose the names: every object has a `constructor` that nobody told. */
function factOf(facts: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(facts, name) ? facts[name] : null;
}

/** Facts shown of one run, and how long one may be. */
const MOST_FACTS = 500;
const MOST_CHARS = 500;

/** Nested facts as flat text: `{ loader: { workers: 4 } }` becomes `loader.workers: 4`. Bounded; null and empty ones are left out. */
export function flattenFacts(facts: unknown): Record<string, string> {
  const flat: Record<string, string> = {};
  const visit = (value: unknown, path: string): void => {
    if (value === null || value === undefined || Object.keys(flat).length >= MOST_FACTS) return;
    if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [name, child] of Object.entries(value)) visit(child, path === '' ? name : `${path}.${name}`);
      return;
    }
    flat[path] = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_CHARS);
  };
  visit(facts, '');
  return flat;
}
