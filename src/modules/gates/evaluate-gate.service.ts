import { Injectable } from '@nestjs/common';
import { evaluateGate, type GateEvidence, type GatePolicy } from '../../analysis';
import { Database, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { type GateEvaluation, presentGate } from '../../presentation';
import { runLinks } from '../ingestion';
import { isWithinLimits, type Principal } from '../teams';
import { gatherEvidence } from './gate-evidence';
import { findGateRun, type GateRun } from './gate-runs.repository';
import { getPolicy } from './gate-policies.repository';
import { parseReference } from './schemas';

/** An analysis takes seconds, and its figures are in their series some seconds later. */
const RETRY_AFTER_S = 2;
const NO_EVIDENCE: GateEvidence = {
  direction: undefined,
  values: [],
  notMeasured: null,
  baseline: [],
  fault: null,
};

export interface GateQuestion {
  runId: string;
  /** `name` or `name@revision`. */
  policy?: string;
  inlinePolicy?: GatePolicy;
}

interface NamedPolicy {
  name: string | null;
  revision: number | null;
  content: GatePolicy;
}

/** Judges runs by policies. */
@Injectable()
export class EvaluateGateService {
  constructor(private readonly database: Database) {}

  /** Throws `run-not-found`, `gate-policy-not-found` or, while the run is analysed, `report-not-ready`. */
  async evaluate({ teamId, runLimits }: Principal, question: GateQuestion): Promise<GateEvaluation> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await findGateRun(scope, question.runId);
      if (!run || !isWithinLimits(runLimits, run))
        throw new ProblemError('run-not-found', 'Your team has no run with this id.');
      const policy = await readPolicy(scope, question);
      refuseUnfinished(run);
      const evidence =
        run.state === 'failed'
          ? policy.content.rules.map(() => NO_EVIDENCE)
          : await gatherEvidence(scope, run, policy.content, runLimits);
      const failure =
        run.state === 'failed' ? `${run.failureCode ?? 'unknown'}: ${run.failureReason ?? ''}` : null;
      const { model, cluster, workload } = run;
      const subject = { model, cluster, workload: workload ?? '', failure };
      const result = evaluateGate(policy.content, subject, evidence);
      return presentGate(result, { run: describeRun(run), links: linksOf(run), policy });
    });
  }
}

async function readPolicy(scope: TeamScope, { policy, inlinePolicy }: GateQuestion): Promise<NamedPolicy> {
  if (policy === undefined) {
    // The schema of the request wants one of the two.
    if (!inlinePolicy) throw new Error('A gate was asked for without a policy.');
    return { name: null, revision: null, content: inlinePolicy };
  }
  const { name, revision, policy: content } = await getPolicy(scope, parseReference(policy));
  return { name, revision, content };
}

function refuseUnfinished({ state, isTrended }: GateRun): void {
  if (state === 'failed' || (state === 'done' && isTrended)) return;
  if (state === 'awaitingUpload') {
    throw new ProblemError('report-not-ready', 'The run is awaitingUpload: its files are not complete.', {
      action: 'End the upload with POST /v1/runs/{id}/complete, and ask again when the run is done.',
      retryAfterS: RETRY_AFTER_S,
    });
  }
  const detail = state === 'done' ? 'The run is done, but not in its series yet.' : `The run is ${state}.`;
  throw new ProblemError('report-not-ready', detail, { retryAfterS: RETRY_AFTER_S });
}

function describeRun({ id, model, cluster, workload, branch, commit, at }: GateRun): GateEvaluation['run'] {
  return { id, model, cluster, workload, branch, commit, at: at.toISOString() };
}

function linksOf({ id, seriesId }: GateRun): GateEvaluation['links'] {
  const { self, report } = runLinks(id);
  return { run: self, report, series: seriesId === null ? null : `/v1/series/${seriesId}` };
}
