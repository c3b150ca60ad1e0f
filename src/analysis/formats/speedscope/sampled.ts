import { type KnownFunction } from '../host-profile-builder';
import { amountOf, frameAt, type IntoProfile, listOf, memberOf } from './members';

/** Adds a sampled profile; returns how many samples could not be read. Samples list their frames outermost first. */
export function addSampled(one: unknown, { profile, frames, scale, process, thread }: IntoProfile): number {
  const samples = listOf(memberOf(one, 'samples'));
  const weights = listOf(memberOf(one, 'weights'));
  let malformed = 0;
  samples.forEach((sample, i) => {
    const weight = weights.length === 0 ? 1 : amountOf(weights[i]) * scale;
    const stack = listOf(sample).map((index) => frameAt(frames, index));
    if (!Array.isArray(sample) || !(weight >= 0) || stack.includes(null)) malformed++;
    else profile.add({ process, thread, frames: stack as KnownFunction[], weight, sampleCount: 1 });
  });
  return malformed;
}
