import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../../platform/chores';
import { SessionsRepository } from './sessions.repository';

const intervalS = 600;
const rowsPerBatch = 1_000;
/** So long a session that is over stays, so that its refresh tokens are told apart from unknown ones. */
const keptMs = 7 * 86_400_000;

/** Deletes sessions that are over, with their refresh tokens, sign-ins that never came back from the provider, and unused ways to a new password. */
@Injectable()
export class ExpireSessions implements Chore {
  readonly name = 'expire-sessions';
  readonly isExclusive = false;
  readonly intervalS = intervalS;
  private readonly log = new Logger(ExpireSessions.name);

  constructor(private readonly repository: SessionsRepository) {}

  /** One pass, batch by batch. Processes that pass at the same time only share the work. */
  async pass(signal: AbortSignal): Promise<void> {
    const now = new Date();
    const before = new Date(now.getTime() - keptMs);
    const sessions = await inBatches(signal, () => this.repository.deleteOver(before, rowsPerBatch));
    const logins = await inBatches(signal, () => this.repository.deleteOidcLogins(now, rowsPerBatch));
    const resets = await inBatches(signal, () => this.repository.deletePasswordResets(now, rowsPerBatch));
    if (sessions + logins + resets > 0)
      this.log.log({ sessions, logins, resets }, 'what was over was deleted');
  }
}

async function inBatches(signal: AbortSignal, deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteBatch();
    total += deleted;
    if (deleted < rowsPerBatch || signal.aborted) return total;
  }
}
