/** What a run was done on and how, as far as it was told; absent fields were not. */
export interface RunConditions {
  gpu?: string;
  worldSize?: number;
  /** Ways of splitting the work, such as data: 8, tensor: 2, strategy: fsdp. */
  parallelism?: Readonly<Record<string, string | number | boolean | undefined>>;
  dtype?: string;
  microBatch?: number;
  globalBatch?: number;
  sequenceLength?: number;
  tokensPerStep?: number;
}

/**
 * The text that runs must share to be compared. Only what was chosen is in it: never a reading, a host name or a version,
 * which would split one series into many or hide that an upgrade made it slower.
 *
 * @param override what the client says instead; then nothing else counts.
 */
export function comparabilityKey(conditions: RunConditions, override?: string): string {
  if (override !== undefined) return `custom:${override}`;
  const { parallelism = {}, ...flat } = conditions;
  const parts: [string, string | number | boolean | undefined][] = [
    ['gpu', flat.gpu === undefined ? undefined : plainGpuName(flat.gpu)],
    ['worldSize', flat.worldSize],
    ...Object.entries(parallelism).sort(([a], [b]) => (a < b ? -1 : 1)),
    ['dtype', flat.dtype === undefined ? undefined : plainDtype(flat.dtype)],
    ['microBatch', flat.microBatch],
    ['globalBatch', flat.globalBatch],
    ['sequenceLength', flat.sequenceLength],
    // Says nothing new where the batch is known.
    ['tokensPerStep', (flat.microBatch ?? flat.globalBatch) ? undefined : flat.tokensPerStep],
  ];
  const known = parts.filter(([, value]) => value !== undefined && value !== '');
  return known.map(([name, value]) => `${name}=${String(value).toLowerCase()}`).join(';');
}

/** `NVIDIA H200` and `h200` are one GPU. */
function plainGpuName(name: string): string {
  return name
    .trim()
    .replace(/^(nvidia|amd|tesla)\s+/i, '')
    .replace(/\s+/g, ' ');
}

const DTYPES: Readonly<Record<string, string>> = {
  bfloat16: 'bf16',
  float16: 'fp16',
  half: 'fp16',
  float32: 'fp32',
  float: 'fp32',
  float64: 'fp64',
  double: 'fp64',
};

/** `torch.bfloat16`, `bfloat16` and `bf16` are one type. */
function plainDtype(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^torch\./, '');
  return DTYPES[plain] ?? plain;
}

/** What a series stands for. */
export interface SeriesIdentity {
  model: string;
  cluster: string;
  workload: string;
  /** Made by `comparabilityKey`. */
  comparability: string;
}

/** In what two series differ, such as `worldSize`; null where one of them does not say. */
export function differingConditions(
  ours: SeriesIdentity,
  theirs: SeriesIdentity,
): { name: string; ours: string | null; theirs: string | null }[] {
  const [a, b] = [conditionsIn(ours), conditionsIn(theirs)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((name) => ({ name, ours: a.get(name) ?? null, theirs: b.get(name) ?? null }))
    .filter((one) => one.ours !== one.theirs);
}

function conditionsIn({ comparability, ...place }: SeriesIdentity): Map<string, string> {
  const parts = comparability.startsWith('custom:')
    ? [['comparability', comparability.slice('custom:'.length)]]
    : comparability
        .split(';')
        .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
  return new Map(
    [...Object.entries(place), ...parts].filter(([, value]) => value !== '') as [string, string][],
  );
}
