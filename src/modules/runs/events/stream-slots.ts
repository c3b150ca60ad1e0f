import { ProblemError } from '../../../platform/errors';

const retryAfterS = 10;

/** How many streams may be open at this process. */
export interface StreamBounds {
  perTeam: number;
  perProcess: number;
}

/** Counts open streams, and those that are about to be. */
export class StreamSlots {
  private readonly byTeam = new Map<string, number>();
  private total = 0;

  constructor(private readonly bounds: StreamBounds) {}

  get taken(): number {
    return this.total;
  }

  /** Takes a slot, and gives what frees it, once however often it is called. Throws `too-many-streams`. */
  take(teamId: string): () => void {
    const ofTeam = this.byTeam.get(teamId) ?? 0;
    if (ofTeam >= this.bounds.perTeam) {
      const detail = `Your team has ${ofTeam} event streams open here, which is as many as it may have.`;
      throw new ProblemError('too-many-streams', detail, { retryAfterS });
    }
    if (this.total >= this.bounds.perProcess) {
      throw new ProblemError('too-many-streams', 'This server has as many event streams open as it can.', {
        retryAfterS,
      });
    }
    this.byTeam.set(teamId, ofTeam + 1);
    this.total++;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.total--;
      const left = (this.byTeam.get(teamId) ?? 1) - 1;
      if (left > 0) this.byTeam.set(teamId, left);
      else this.byTeam.delete(teamId);
    };
  }
}
