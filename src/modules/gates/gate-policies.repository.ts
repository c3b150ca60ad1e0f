import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type GatePolicy } from '../../analysis';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { type PolicyReference } from './schemas';

/** One revision of a policy. */
export interface StoredPolicy {
  name: string;
  revision: number;
  policy: GatePolicy;
  createdBy: string | null;
  createdAt: Date;
}
export type PolicySummary = Omit<StoredPolicy, 'policy'>;

/** What the client expects to replace: nothing, these revisions, or whatever is there. */
export type Precondition =
  { kind: 'none' } | { kind: 'absent' } | { kind: 'revisions'; revisions: readonly number[] };

/** More than a team has pipelines, and more than people change one; each may be kilobytes. */
const POLICIES_PER_TEAM = 200;
const REVISIONS_PER_POLICY = 1_000;

const summaryColumns = { name: true, revision: true, createdBy: true, createdAt: true } as const;
const columns = { ...summaryColumns, policy: true } as const;

/** Policies of gates, every revision of them. */
@Injectable()
export class GatePoliciesRepository {
  constructor(private readonly database: Database) {}

  /** Newest revisions, by name. */
  async list(teamId: string, limit: number, afterName: string): Promise<PolicySummary[]> {
    return this.database.forTeam(
      teamId,
      ({ $queryRaw }) => $queryRaw<PolicySummary[]>`
        SELECT DISTINCT ON (name) name, revision, created_by AS "createdBy", created_at AS "createdAt"
        FROM gate_policies WHERE team_id = ${teamId}::uuid AND name > ${afterName}
        ORDER BY name, revision DESC LIMIT ${limit}`,
    );
  }

  /** Revisions of a policy, the newest first. Throws `gate-policy-not-found`. */
  async listRevisions(teamId: string, name: string, limit: number, before: number): Promise<PolicySummary[]> {
    return this.database.forTeam(teamId, async (scope) => {
      await getPolicy(scope, { name, revision: undefined });
      return scope.gatePolicy.findMany({
        where: { teamId, name, revision: { lt: before } },
        orderBy: { revision: 'desc' },
        take: limit,
        select: summaryColumns,
      });
    });
  }

  /** Throws `gate-policy-not-found`. */
  async get(teamId: string, reference: PolicyReference): Promise<StoredPolicy> {
    return this.database.forTeam(teamId, (scope) => getPolicy(scope, reference));
  }

  /**
   * Saves a policy as the next revision; the same content stays the revision that it is. Throws `gate-policy-changed`,
   * `gate-policy-limit-reached` or `run-not-found`, which is a pinned run.
   */
  async save(
    teamId: string,
    actor: Actor,
    { name, policy, expected }: { name: string; policy: GatePolicy; expected: Precondition },
  ): Promise<StoredPolicy & { isNew: boolean }> {
    return this.database.forTeam(teamId, async (scope) => {
      await lockPolicies(scope);
      const latest = await findPolicy(scope, { name, revision: undefined });
      refuseUnexpected(latest, expected);
      if (latest && isDeepStrictEqual(latest.policy, asStored(policy))) return { ...latest, isNew: false };
      await refuseTooMany(scope, latest);
      await refuseUnknownRuns(scope, policy);
      const revision = (latest?.revision ?? 0) + 1;
      const saved = await scope.gatePolicy.create({
        data: { teamId, name, revision, policy: asStored(policy), createdBy: actor.name },
        select: columns,
      });
      await recordAudit(scope, actor, {
        action: 'gate-policy.saved',
        target: { kind: 'gate-policy', id: name },
        details: { revision },
      });
      return { ...toPolicy(saved), isNew: true };
    });
  }

  /** Deletes every revision. Throws `gate-policy-not-found`. */
  async delete(teamId: string, actor: Actor, name: string): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      await lockPolicies(scope);
      const { count } = await scope.gatePolicy.deleteMany({ where: { teamId, name } });
      if (count === 0) throw policyNotFound();
      await recordAudit(scope, actor, {
        action: 'gate-policy.deleted',
        target: { kind: 'gate-policy', id: name },
        details: { revisions: count },
      });
    });
  }
}

/** A revision of a policy, the newest where none is told. Throws `gate-policy-not-found`. */
export async function getPolicy(scope: TeamScope, reference: PolicyReference): Promise<StoredPolicy> {
  const found = await findPolicy(scope, reference);
  if (!found) throw policyNotFound();
  return found;
}

async function findPolicy(
  { teamId, gatePolicy }: TeamScope,
  { name, revision }: PolicyReference,
): Promise<StoredPolicy | null> {
  const found = await gatePolicy.findFirst({
    where: { teamId, name, ...(revision === undefined ? {} : { revision }) },
    orderBy: { revision: 'desc' },
    select: columns,
  });
  return found && toPolicy(found);
}

/** One transaction at a time changes the policies of a team: two that race must not both become the next revision. */
async function lockPolicies({ teamId, $executeRaw }: TeamScope): Promise<void> {
  const lock = `stallscope:gate-policies:${teamId}`;
  await $executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
}

function refuseUnexpected(latest: StoredPolicy | null, expected: Precondition): void {
  if (expected.kind === 'none') return;
  const isAsExpected =
    expected.kind === 'absent' ? !latest : latest !== null && expected.revisions.includes(latest.revision);
  if (isAsExpected) return;
  const found = latest ? `is at revision ${latest.revision}` : 'does not exist';
  throw new ProblemError('gate-policy-changed', `The policy ${found}.`);
}

async function refuseTooMany({ teamId, gatePolicy }: TeamScope, latest: StoredPolicy | null): Promise<void> {
  if (latest) {
    if (latest.revision < REVISIONS_PER_POLICY) return;
    throw new ProblemError(
      'gate-policy-limit-reached',
      `A policy has ${REVISIONS_PER_POLICY} revisions at most.`,
    );
  }
  // Each has a first revision, and loses it only together with all others.
  if ((await gatePolicy.count({ where: { teamId, revision: 1 } })) < POLICIES_PER_TEAM) return;
  throw new ProblemError('gate-policy-limit-reached', `A team has ${POLICIES_PER_TEAM} policies at most.`);
}

/** A pinned run that is not there would leave every run inconclusive. */
async function refuseUnknownRuns({ teamId, run }: TeamScope, policy: GatePolicy): Promise<void> {
  const baselines = [policy.baseline, ...policy.rules.map((rule) => rule.baseline)];
  const pinned = new Set(baselines.flatMap((one) => (one?.kind === 'run' ? [one.runId] : [])));
  if (pinned.size === 0) return;
  const found = await run.findMany({ where: { teamId, id: { in: [...pinned] } }, select: { id: true } });
  const missing = [...pinned].find((id) => !found.some((one) => one.id === id));
  if (missing === undefined) return;
  throw new ProblemError('run-not-found', `Your team has no run ${missing}, which the policy compares with.`);
}

function policyNotFound(): ProblemError {
  return new ProblemError('gate-policy-not-found', 'Your team has no gate policy of this name and revision.');
}

/** As JSON keeps it: without what is absent. */
function asStored(policy: GatePolicy) {
  return JSON.parse(JSON.stringify(policy)) as GatePolicy;
}

/** Stored policies were checked when they were saved. */
function toPolicy({ policy, ...row }: Omit<StoredPolicy, 'policy'> & { policy: unknown }): StoredPolicy {
  return { ...row, policy: policy as GatePolicy };
}
