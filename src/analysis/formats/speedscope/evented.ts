import { type KnownFunction } from '../host-profile-builder';
import { amountOf, frameAt, type IntoProfile, listOf, memberOf } from './members';

/** Frames that may be open at once. */
const MAX_DEPTH = 4096;

/**
 * Adds an evented profile: the time between two events belongs to the stack that is open then. Returns how many events were
 * not as they should be: a time before the last one, a frame that closes and is not open or not the innermost, a stack too
 * deep. Frames that are never closed last to the end of the profile.
 */
export function addEvented(one: unknown, { profile, frames, scale, process, thread }: IntoProfile): number {
  const open: KnownFunction[] = [];
  let lastAt = amountOf(memberOf(one, 'startValue'));
  let malformed = 0;
  const passTo = (at: number): void => {
    const weight = (at - lastAt) * scale;
    if (weight > 0 && open.length > 0) profile.add({ process, thread, frames: open, weight, sampleCount: 1 });
    lastAt = at;
  };
  for (const event of listOf(memberOf(one, 'events'))) {
    const at = amountOf(memberOf(event, 'at'));
    const frame = frameAt(frames, memberOf(event, 'frame'));
    const type = memberOf(event, 'type');
    if (Number.isNaN(lastAt)) lastAt = at;
    if (!(at >= lastAt) || !frame) {
      malformed++;
      continue;
    }
    passTo(at);
    if (type === 'O' && open.length < MAX_DEPTH) open.push(frame);
    else if (type === 'C' && close(open, frame)) continue;
    else malformed++;
  }
  const end = amountOf(memberOf(one, 'endValue'));
  if (end > lastAt) passTo(end);
  return malformed;
}

/** Takes a frame off the stack, wherever it is; true when it was the innermost, as it should be. */
function close(open: KnownFunction[], frame: KnownFunction): boolean {
  const index = open.lastIndexOf(frame);
  if (index < 0) return false;
  open.splice(index, 1);
  return index === open.length;
}
