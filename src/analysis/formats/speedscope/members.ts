import { type HostProfileBuilder, type KnownFunction } from '../host-profile-builder';

/** Where the samples of one profile go. */
export interface IntoProfile {
  profile: HostProfileBuilder;
  /** By the index that samples use; null for one that has no name. */
  frames: readonly (KnownFunction | null)[];
  /** Weight of one unit of the file. */
  scale: number;
  process: string | null;
  thread: string | null;
}

/** An own member of an object, or undefined. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Well above the ns since 1970, and far from where sums are no numbers any more. */
const MAX_AMOUNT = 1e20;

/** A number that time or weight can be, else NaN. */
export function amountOf(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) <= MAX_AMOUNT ? value : NaN;
}

export function framesOf(list: unknown, profile: HostProfileBuilder): (KnownFunction | null)[] {
  return listOf(list).map((frame) => {
    const name = textOf(memberOf(frame, 'name'));
    return name === '' ? null : profile.function(name, textOf(memberOf(frame, 'file')));
  });
}

/** The function at an index, or null. */
export function frameAt(frames: IntoProfile['frames'], index: unknown): KnownFunction | null {
  return typeof index === 'number' ? (frames[index] ?? null) : null;
}
