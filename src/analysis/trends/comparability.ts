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

/** Begins a key that is the client's word. */
const CUSTOM = 'custom:';

/**
 * The text that runs must share to be compared. Only what was chosen is in it: never a reading, a host name or a version,
 * which would split one series into many or hide that an upgrade made it slower.
 *
 * @param override what the client says instead; then nothing else counts.
 */
export function comparabilityKey(conditions: RunConditions, override?: string): string {
  if (override !== undefined) return CUSTOM + override;
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
  return known.map(([name, value]) => `${name}=${plainValue(value)}`).join(';');
}

/** Values come from files and requests; none may look like another condition. */
function plainValue(value: string | number | boolean | undefined): string {
  return String(value).toLowerCase().replace(/[;=]/g, ' ');
}

/** The conditions that a key was made of, by name; `comparability` is the word that the client gave instead. */
export function conditionsOfKey(key: string): { name: string; value: string }[] {
  if (key.startsWith(CUSTOM)) return [{ name: 'comparability', value: key.slice(CUSTOM.length) }];
  const parts = key === '' ? [] : key.split(';');
  return parts.map((part) => {
    const at = part.indexOf('=');
    return { name: part.slice(0, at), value: part.slice(at + 1) };
  });
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
  const told = Object.entries(place).filter(([, value]) => value !== '');
  return new Map([
    ...told,
    ...conditionsOfKey(comparability).map(({ name, value }) => [name, value] as const),
  ]);
}
