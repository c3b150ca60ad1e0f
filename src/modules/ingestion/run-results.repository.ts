import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../platform/database';
import { countAnalysis } from '../quotas';
import { type StorableAnalysis } from './analysis-outcome';
import { requeueLate } from './run-endings.repository';
import { moveRun, type RunVersion } from './run-state.repository';
import { type Ending } from './run-work.repository';

/** Tens of thousands of steps take seconds; this is for a database that is busy besides. */
const SAVE_TIMEOUT_MS = 120_000;

/** Results of analyses: written once, all or nothing. */
@Injectable()
export class RunResultsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes the result and finishes the run in one transaction. Null when the claim of `version` is lost: then the run
   * is somebody else's, and nothing is written. The unique key (run, generation) is the second lock. Artifacts become
   * verified when they are among `checkedIds`, never because their run is done.
   */
  async save(
    teamId: string,
    version: RunVersion,
    result: StorableAnalysis,
    checkedIds: readonly string[],
  ): Promise<Ending | null> {
    return this.database.forTeam(
      teamId,
      async (scope) => {
        if (!(await moveRun(scope, 'finish', version))) return null;
        const id = await insertAnalysis(scope, version, result);
        await insertRows(scope, id, result);
        await scope.run.updateMany({
          where: { teamId, id: version.runId },
          data: { latestAnalysisId: id, verdict: result.bottleneck },
        });
        // Raw, because an array is one parameter there; a run may have more artifacts than a query has parameters.
        await scope.$executeRaw`
          UPDATE artifacts SET state = 'verified'
          WHERE team_id = ${teamId}::uuid AND run_id = ${version.runId}::uuid AND state = 'uploaded'
            AND id = ANY(${[...checkedIds]}::uuid[])`;
        await countAnalysis(scope, version.runId);
        return { nextGeneration: await requeueLate(scope, version) };
      },
      { timeoutMs: SAVE_TIMEOUT_MS },
    );
  }
}

async function insertAnalysis(
  { teamId, $executeRaw }: TeamScope,
  { runId, generation }: RunVersion,
  { analysisVersion, bottleneck, confidence, summary, reportJson }: StorableAnalysis,
): Promise<string> {
  const id = randomUUID();
  // Raw, because the report is JSON text already; Prisma would want it parsed.
  await $executeRaw`
    INSERT INTO analyses (id, team_id, run_id, generation, analysis_version, bottleneck, confidence, summary, report)
    VALUES (${id}::uuid, ${teamId}::uuid, ${runId}::uuid, ${generation}::integer, ${analysisVersion}, ${bottleneck},
      ${confidence}, ${summary}, ${reportJson}::jsonb)`;
  return id;
}

/** One statement a table, however many rows: row by row, row-level security makes thousands of rows take minutes. */
async function insertRows(
  { teamId, $executeRaw }: TeamScope,
  id: string,
  { metricsJson, stepsJson, findingsJson }: StorableAnalysis,
): Promise<void> {
  await $executeRaw`
    INSERT INTO metric_values (analysis_id, team_id, metric_id, value, unit, source, reason)
    SELECT ${id}::uuid, ${teamId}::uuid, r.id, r.value, r.unit, r.source, r.reason
    FROM json_to_recordset(${metricsJson}::json) AS r (
      id text, value double precision, unit text, source text, reason text)`;
  await $executeRaw`
    INSERT INTO step_breakdowns (analysis_id, team_id, rank, step_index, wall_ns, compute_ns, exposed_communication_ns,
      exposed_memcpy_ns, idle_ns, idle)
    SELECT ${id}::uuid, ${teamId}::uuid, r.rank, r."stepIndex", r."wallNs", r."computeNs", r."exposedCommunicationNs",
      r."exposedMemcpyNs", r."idleNs", r.idle
    FROM json_to_recordset(${stepsJson}::json) AS r (
      rank integer, "stepIndex" integer, "wallNs" bigint, "computeNs" bigint, "exposedCommunicationNs" bigint,
      "exposedMemcpyNs" bigint, "idleNs" bigint, idle jsonb)`;
  await $executeRaw`
    INSERT INTO findings (analysis_id, team_id, ordinal, rule, bottleneck, severity, confidence, expected_step_ns,
      evidence, fixes)
    SELECT ${id}::uuid, ${teamId}::uuid, r.ordinal, r.rule, r.bottleneck, r.severity, r.confidence, r."expectedStepNs",
      r.evidence, r.fixes
    FROM json_to_recordset(${findingsJson}::json) AS r (
      ordinal integer, rule text, bottleneck text, severity text, confidence text, "expectedStepNs" bigint,
      evidence jsonb, fixes jsonb)`;
}
