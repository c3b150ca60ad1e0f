import { tokenHash } from '../../src/modules/teams/tokens/api-token';
import { operator, recordAudit } from '../../src/platform/audit';
import { type Database, type TeamScope } from '../../src/platform/database';

/** One row in each table of a team. Returns the id of the run. */
export async function fillEveryTable(database: Database, teamId: string): Promise<string> {
  return database.forTeam(teamId, async (scope) => {
    const run = await scope.run.create({ data: { teamId, model: 'm', cluster: 'c', tags: ['t'] } });
    const artifact = {
      name: 'trace.json',
      sizeBytes: 5n,
      sha256: 'a'.repeat(64),
      objectKey: 'k',
      partSizeBytes: 5,
    };
    await scope.artifact.create({ data: { ...artifact, teamId, runId: run.id } });
    const analysis = await scope.analysis.create({
      data: {
        ...{
          teamId,
          runId: run.id,
          generation: 1,
          analysisVersion: '1',
          bottleneck: 'compute',
          confidence: 'high',
        },
        ...{ summary: 's', report: {} },
      },
    });
    const of = { teamId, analysisId: analysis.id };
    await scope.metricValue.create({
      data: { ...of, metricId: 'm', value: 1, unit: 'ratio', source: 'measured' },
    });
    const parts = {
      wallNs: 4n,
      computeNs: 1n,
      exposedCommunicationNs: 1n,
      exposedMemcpyNs: 1n,
      idleNs: 1n,
      idle: {},
    };
    await scope.stepBreakdown.create({ data: { ...of, ...parts, rank: 0, stepIndex: 0 } });
    const finding = {
      ordinal: 0,
      rule: 'r',
      bottleneck: 'b',
      severity: 's',
      confidence: 'c',
      evidence: {},
      fixes: [],
    };
    await scope.finding.create({ data: { ...of, ...finding } });
    await scope.idempotencyRecord.create({ data: { teamId, route: 'r', key: 'k', requestHash: 'h' } });
    await scope.apiToken.create({
      data: { teamId, name: 't', prefix: 'p', tokenHash: tokenHash(teamId), scopes: ['runs:read'] },
    });
    await fillTablesOfTheTeam(scope);
    await fillTablesOfTrends(scope, run.id);
    return run.id;
  });
}

async function fillTablesOfTheTeam(scope: TeamScope): Promise<void> {
  const { teamId } = scope;
  const expiresAt = new Date(Date.now() + 60_000);
  const invitation = { email: 'a@b.test', role: 'member' as const, tokenHash: tokenHash(teamId), expiresAt };
  await scope.invitation.create({ data: { teamId, ...invitation } });
  await scope.serviceAccount.create({ data: { teamId, name: 's' } });
  await recordAudit(scope, operator, { action: 'team.created' });
  const event = await scope.teamEvent.create({ data: { teamId, type: 'run.created' } });
  await scope.usageDay.create({ data: { teamId, day: new Date() } });
  await scope.objectDeletion.create({ data: { teamId, objectKey: 'k' } });
  const endpoint = await scope.webhookEndpoint.create({
    data: { teamId, url: 'https://hooks.test/', events: ['run.done'], payloadFormat: 'stallscope' },
  });
  const delivery = { endpointId: endpoint.id, eventId: event.id, eventType: event.type, body: '{}' };
  await scope.webhookDelivery.create({ data: { teamId, ...delivery } });
}

async function fillTablesOfTrends(scope: TeamScope, runId: string): Promise<void> {
  const { teamId } = scope;
  const at = new Date();
  const series = await scope.series.create({
    data: { teamId, model: 'm', cluster: 'c', comparability: 'k', lastRunAt: at },
  });
  const of = { teamId, seriesId: series.id };
  const { id: seriesMetricId } = await scope.seriesMetric.create({ data: { ...of, metricId: 'm' } });
  await scope.point.create({ data: { seriesMetricId, at, runId, teamId, value: 1 } });
  const day = { runs: 1, min: 1, p50: 1, p95: 1, max: 1 };
  await scope.pointDay.create({ data: { seriesMetricId, day: at, teamId, ...day } });
  const packed = { runs: 1, atMs: '1', value: '1', runIds: '""' };
  await scope.packedDay.create({ data: { seriesMetricId, branch: '', day: at, teamId, ...packed } });
  await scope.seriesSegment.create({ data: { ...of, at, reason: 'r' } });
  await scope.runVerdict.create({ data: { runId, metricId: 'm', teamId, verdict: 'unchanged' } });
  const change = { metricId: 'm', metrics: [], before: 1, after: 2, changeRatio: 1, firstBadAt: at };
  const regression = await scope.regression.create({ data: { ...of, ...change } });
  await scope.regressionAct.create({ data: { teamId, regressionId: regression.id, act: 'opened' } });
  await scope.trendSetting.create({ data: { teamId } });
  const ladder = await scope.ladder.create({ data: { teamId, name: 'l' } });
  await scope.ladderRung.create({
    data: { ladderId: ladder.id, ordinal: 0, teamId, runId, label: 'baseline' },
  });
  await scope.touchedDay.create({ data: { ...of, branch: 'main', day: at } });
  const usage = { at, model: 'm', cluster: 'c', workload: '', bottleneck: 'none' };
  await scope.runUsage.create({ data: { runId, teamId, ...usage } });
  await scope.gatePolicy.create({ data: { teamId, name: 'g', revision: 1, policy: {} } });
}
