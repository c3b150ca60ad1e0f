import { type GpuSpec, link, PEAK_IDS, type PeakId, spec } from './gpu-spec';
import { type KnownFigure, type SourcedFigure } from './sourced-figure';

/** Figures that the user measured or knows better; they win over the data sheet. */
export interface GpuOverride {
  /** Dense flop (int8: operations) per second. */
  peaks: Partial<Record<PeakId, number>>;
  figures: Partial<Record<OverridableFigure, number>>;
}

/** Plausible range of each figure and the unit that its key promises: catches TFLOPS and GB/s written as such. */
const BOUNDS = {
  memoryBandwidthBytesPerSec: [1e9, 1e14],
  memoryBytes: [1e8, 1e13],
  scaleUpTotalBytesPerSec: [1e8, 1e14],
  powerLimitW: [1, 1e4],
} as const satisfies Record<string, readonly [number, number]>;
const PEAK_BOUNDS = [1e9, 1e18] as const;

export type OverridableFigure = keyof typeof BOUNDS;

/** The override cannot be used. `problems` has one line per field: what is wrong and what to write. */
export class GpuOverrideInvalid extends Error {
  readonly code = 'gpu-override-invalid';
  constructor(readonly problems: readonly string[]) {
    super(`The GPU override cannot be used: ${problems.join(' ')}`);
    this.name = 'GpuOverrideInvalid';
  }
}

/**
 * Reads `{ peaks: { bf16: 9.2e14, … }, memoryBandwidthBytesPerSec: 4.3e12, … }`, every part optional.
 * Throws `GpuOverrideInvalid` for anything else; unknown keys are refused, because a misspelt key would be lost silently.
 */
export function readGpuOverride(raw: unknown): GpuOverride {
  if (!isRecord(raw)) throw new GpuOverrideInvalid(['It must be a JSON object.']);
  const problems: string[] = [];
  const figures: GpuOverride['figures'] = {};
  let peaks: GpuOverride['peaks'] = {};
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'peaks') peaks = readPeaks(value, problems);
    else if (isFigure(key)) addNumber(figures, key, key, value, BOUNDS[key], problems);
    else problems.push(`${quote(key)} is unknown; use peaks, ${Object.keys(BOUNDS).join(', ')}.`);
  }
  if (problems.length > 0) throw new GpuOverrideInvalid(problems);
  if (Object.keys(peaks).length + Object.keys(figures).length === 0)
    throw new GpuOverrideInvalid(['It holds no figure.']);
  return { peaks, figures };
}

/** `spec` with the user's figures in place of the published ones; their source is `user`. */
export function applyGpuOverride(base: GpuSpec, override: GpuOverride): GpuSpec {
  const { memoryBandwidthBytesPerSec, memoryBytes, scaleUpTotalBytesPerSec, powerLimitW } = override.figures;
  const pick = (value: number | undefined, published: SourcedFigure): SourcedFigure =>
    value === undefined ? published : byUser(value);
  const peaks = { ...base.peaks };
  for (const id of PEAK_IDS) peaks[id] = pick(override.peaks[id], base.peaks[id]);
  return {
    ...base,
    peaks,
    memoryBandwidthBytesPerSec: pick(memoryBandwidthBytesPerSec, base.memoryBandwidthBytesPerSec),
    memoryBytes: pick(memoryBytes, base.memoryBytes),
    scaleUpLink:
      scaleUpTotalBytesPerSec === undefined
        ? base.scaleUpLink
        : link(base.scaleUpLink.kind, byUser(scaleUpTotalBytesPerSec)),
    powerLimitW: pick(powerLimitW, base.powerLimitW),
  };
}

/** A specification of a GPU that the catalogue does not know, from the user's figures alone; the rest is missing. */
export function gpuSpecFromOverride(deviceName: string, override: GpuOverride): GpuSpec {
  const missing = { value: null, reason: 'not in the catalogue and not given by the user' } as const;
  const empty = spec({
    id: 'user-defined',
    label: deviceName.trim() || 'GPU given by the user',
    vendor: 'unknown',
    names: [],
    computeMajor: 0,
    computeMinor: 0,
    peaks: {},
    otherPeaks: missing.reason,
    memoryBandwidthBytesPerSec: missing,
    memoryGib: 0,
    memorySource: 'user',
    smCount: missing,
    boostClockHz: missing,
    scaleUpLink: link('pcie', missing),
    hostLink: link('pcie', missing),
    powerLimitW: missing,
  });
  return applyGpuOverride({ ...empty, memoryBytes: missing }, override);
}

function readPeaks(value: unknown, problems: string[]): GpuOverride['peaks'] {
  const peaks: GpuOverride['peaks'] = {};
  if (!isRecord(value)) {
    problems.push('peaks must be an object, for example {"bf16": 9.2e14}.');
    return peaks;
  }
  for (const [key, peak] of Object.entries(value)) {
    if (isPeakId(key)) addNumber(peaks, key, `peaks.${key}`, peak, PEAK_BOUNDS, problems);
    else problems.push(`peaks.${quote(key)} is unknown; use ${PEAK_IDS.join(', ')}.`);
  }
  return peaks;
}

function addNumber<K extends string>(
  into: Partial<Record<K, number>>,
  key: K,
  path: string,
  value: unknown,
  [low, high]: readonly [number, number],
  problems: string[],
): void {
  if (typeof value === 'number' && value >= low && value <= high) into[key] = value;
  else
    problems.push(
      `${path} must be a number from ${low} to ${high} in base units (flop/s, byte/s, byte, W; 989 TFLOPS are 9.89e14).`,
    );
}

const byUser = (value: number): KnownFigure => ({ value, source: 'user', derivation: null });
const quote = (key: string): string => JSON.stringify(key.slice(0, 40));
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isFigure = (key: string): key is OverridableFigure => Object.hasOwn(BOUNDS, key);
const isPeakId = (key: string): key is PeakId => (PEAK_IDS as readonly string[]).includes(key);
