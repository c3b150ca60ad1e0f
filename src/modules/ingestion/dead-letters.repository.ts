import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database, type DeadLetter } from '../../platform/database';
import { requeue } from './run-endings.repository';
import { DEAD_LETTER_CODES } from './run-state';
import { lockRun } from './stored-run.repository';

/** A dead letter that was queued again. */
export interface RetriedRun {
  teamId: string;
  runId: string;
  generation: number;
}

/** Runs that failed because of us, over all teams: for operators. Works without the framework. */
@Injectable()
export class DeadLettersRepository {
  constructor(private readonly database: Database) {}

  /** The latest first. */
  async list(maxRows: number): Promise<DeadLetter[]> {
    return this.database.withoutTeam((scope) => scope.findDeadLetters(DEAD_LETTER_CODES, maxRows));
  }

  async count(): Promise<number> {
    return this.database.withoutTeam((scope) => scope.countFailures(DEAD_LETTER_CODES));
  }

  /** Queues a dead letter for its next generation, and notes that in its team's audit log; null when it is none. */
  async retry(runId: string, actor: Actor): Promise<RetriedRun | null> {
    const teamId = await this.database.withoutTeam((scope) => scope.findTeamOfRun(runId));
    if (teamId === undefined) return null;
    return this.database.forTeam(teamId, async (scope) => {
      const run = await lockRun(scope, runId);
      if (run?.state !== 'failed' || !isOurs(run.failureCode)) return null;
      const { failureCode, attempts } = run;
      const generation = await requeue(scope, { runId, generation: run.generation, attempts });
      if (generation === null) return null;
      await recordAudit(scope, actor, {
        action: 'run.retried',
        target: { kind: 'run', id: runId },
        details: { failureCode, generation },
      });
      return { teamId, runId, generation };
    });
  }
}

function isOurs(failureCode: string | null): boolean {
  return DEAD_LETTER_CODES.some((code) => code === failureCode);
}
