import { type ProblemCode, ProblemError } from '../../platform/errors';

const retryAfterS = 10;

/** How many answers of one kind may be under way at this process. */
export interface SlotBounds {
  perTeam: number;
  perProcess: number;
}

/** Counts long answers of one kind, such as event streams, and those that are about to be. */
export class AnswerSlots {
  private readonly byTeam = new Map<string, number>();
  private total = 0;

  /** `what`: what they are called, in the plural; `code`: the problem of who gets none. */
  constructor(
    private readonly bounds: SlotBounds,
    private readonly what: string,
    private readonly code: ProblemCode,
  ) {}

  get taken(): number {
    return this.total;
  }

  /** Takes a slot, and gives what frees it, once however often it is called. Throws `code`. */
  take(teamId: string): () => void {
    const ofTeam = this.byTeam.get(teamId) ?? 0;
    if (ofTeam >= this.bounds.perTeam) {
      const detail = `Your team has ${ofTeam} ${this.what} open here, which is as many as it may have.`;
      throw new ProblemError(this.code, detail, { retryAfterS });
    }
    if (this.total >= this.bounds.perProcess) {
      const detail = `This server has as many ${this.what} open as it can.`;
      throw new ProblemError(this.code, detail, { retryAfterS });
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
