import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../../platform/audit';
import { type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { acceptLevels, withdrawAcceptance } from './accepted-levels.repository';
import { announce } from './announce.repository';
import {
  type LockedRegression,
  LockedRegressionRepository,
  type PersonsAct,
} from './locked-regression.repository';
import { type StoredRegressionDetail } from './regressions.repository';

export type Resolution = 'fixed' | 'accepted' | 'no-regression';
type Act = Omit<PersonsAct, 'act'>;
type ActWithReason = Act & { reason: string };

/**
 * What people do with regressions. Each throws `regression-not-found`, and `regression-state-conflict` in a state that does not
 * allow it.
 */
@Injectable()
export class PersonsActsRepository {
  constructor(private readonly regressions: LockedRegressionRepository) {}

  async acknowledge(act: ActWithReason): Promise<StoredRegressionDetail> {
    return this.regressions.change({ ...act, act: 'acknowledged' }, async (scope, regression) => {
      refuseUnless(regression.state === 'open', regression, 'acknowledged');
      await update(scope, regression, {
        ...{ state: 'acknowledged', acknowledgedBy: act.actor.id, acknowledgedReason: act.reason },
      });
    });
  }

  /** Null takes it from whoever has it. Throws `assignee-not-a-member`. */
  async assign(act: Act, userId: string | null): Promise<StoredRegressionDetail> {
    const reason = userId ?? undefined;
    const name = userId === null ? 'unassigned' : 'assigned';
    return this.regressions.change({ ...act, act: name, reason }, async (scope, regression) => {
      refuseUnless(regression.state !== 'resolved', regression, name);
      const { teamId, membership } = scope;
      if (userId !== null && (await membership.count({ where: { teamId, userId } })) === 0)
        throw new ProblemError('assignee-not-a-member', 'Your team has no member with this id.');
      await update(scope, regression, { assignedTo: userId });
    });
  }

  async mute(act: ActWithReason, until: Date): Promise<StoredRegressionDetail> {
    return this.regressions.change({ ...act, act: 'muted' }, async (scope, regression) => {
      refuseUnless(regression.state !== 'resolved', regression, 'muted');
      await update(scope, regression, { mutedUntil: until });
      await recordAudit(scope, act.actor, {
        action: 'regression.muted',
        target: { kind: 'regression', id: act.id },
        details: { reason: act.reason, until: until.toISOString() },
      });
    });
  }

  /** Webhooks are told what changed meanwhile, if it still holds. */
  async unmute(act: Act): Promise<StoredRegressionDetail> {
    return this.regressions.change({ ...act, act: 'unmuted' }, async (scope, regression) => {
      const isMuted = regression.mutedUntil !== null && regression.mutedUntil > new Date();
      if (!isMuted) throw new ProblemError('regression-state-conflict', 'The regression is not muted.');
      await update(scope, regression, { mutedUntil: null });
      await audit(scope, act, 'regression.unmuted', {});
      await announce(scope, regression, null);
    });
  }

  async resolve(act: ActWithReason, resolution: Resolution): Promise<StoredRegressionDetail> {
    return this.regressions.change({ ...act, act: resolution }, async (scope, regression) => {
      refuseUnless(regression.state !== 'resolved', regression, 'resolved');
      const now = new Date();
      await update(scope, regression, {
        ...{ state: 'resolved', resolution, resolvedAt: now, mutedUntil: null },
        // Whether it is fixed, only runs after now can say.
        ...(resolution === 'fixed' ? { followedFrom: now } : {}),
      });
      if (resolution === 'accepted') await acceptLevels(scope, regression, act.actor.name ?? act.actor.kind);
      await audit(scope, act, 'regression.resolved', { resolution, reason: act.reason });
      await announce(scope, regression, null);
    });
  }

  /** Throws `regression-superseded` when a later one of the same series and branch is open. */
  async reopen(act: ActWithReason): Promise<StoredRegressionDetail> {
    return this.regressions.change({ ...act, act: 'reopened' }, async (scope, regression) => {
      refuseUnless(regression.state === 'resolved', regression, 'reopened');
      const { teamId } = scope;
      const { seriesId, branch } = regression;
      const other = await scope.regression.findFirst({
        where: { teamId, seriesId, branch, state: { not: 'resolved' } },
        select: { id: true },
      });
      if (other)
        throw new ProblemError('regression-superseded', `The regression ${other.id} is open in its place.`);
      await withdrawAcceptance(scope, regression.id);
      await update(scope, regression, {
        ...{ state: 'open', resolution: null, resolvedAt: null, goodAgainAt: null },
        ...{ followedFrom: new Date(), acknowledgedBy: null, acknowledgedReason: null },
        timesReopened: { increment: 1 },
      });
      await audit(scope, act, 'regression.reopened', { reason: act.reason });
      await announce(scope, regression, null);
    });
  }
}

type Change = Parameters<TeamScope['regression']['updateMany']>[0]['data'];

async function update({ teamId, regression }: TeamScope, { id }: LockedRegression, data: Change) {
  await regression.updateMany({ where: { teamId, id }, data });
}

function refuseUnless(isAllowed: boolean, { state }: LockedRegression, act: string): void {
  if (isAllowed) return;
  throw new ProblemError('regression-state-conflict', `A regression that is ${state} cannot be ${act}.`);
}

async function audit(
  scope: TeamScope,
  { actor, id }: Act,
  action: 'regression.resolved' | 'regression.reopened' | 'regression.unmuted',
  details: Record<string, string>,
): Promise<void> {
  await recordAudit(scope, actor, { action, target: { kind: 'regression', id }, details });
}
