import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { tokenHash } from '../../src/modules/teams/tokens/api-token';
import { operator, recordAudit } from '../../src/platform/audit';
import { type TeamScope } from '../../src/platform/database';
import { ObjectStore } from '../../src/platform/object-store';
import { type InProcessApi, ownerPassword, type TestTeam } from './in-process-api';
import { signIn } from './sign-in';
import { sampleReport, storeReport } from './stored-report';

/**
 * A team with one of each thing that the API can name, by the path that names it. Every free text of it holds the mark,
 * which nobody else's answers, logs or metrics may show.
 */
export interface MarkedTeam extends TestTeam {
  mark: string;
  ids: Ids;
  /** Of the owner, by a session: every scope. */
  owner: { Authorization: string };
}

/** Where the path of an operation names something. A new one belongs here, with an object of its kind below. */
export const NAMING_PATHS = [
  '/v1/tokens/{id}',
  '/v1/runs/{id}',
  '/v1/runs/{id}/artifacts/{artifactId}',
  '/v1/webhooks/{id}',
  '/v1/webhooks/{id}/deliveries/{deliveryId}',
  '/v1/auth/sessions/{id}',
  '/v1/members/{userId}',
  '/v1/invitations/{id}',
  '/v1/service-accounts/{id}',
  '/v1/series/{id}',
  '/v1/regressions/{id}',
  '/v1/ladders/{id}',
  '/v1/gates/policies/{name}',
] as const;
export type NamingPath = (typeof NAMING_PATHS)[number];
export type Ids = Record<NamingPath, string>;

/** Makes such a team; `mark` is of lower-case letters and digits. */
export async function createMarkedTeam(api: InProcessApi, name: string): Promise<MarkedTeam> {
  const mark = `${name}${randomBytes(5).toString('hex')}`;
  const ownerEmail = `owner@${mark}.test`;
  const owner = { email: ownerEmail, password: ownerPassword };
  const created = await api.teams.createTeamWithOwner({ slug: mark, owner });
  const team = { ...created, slug: mark, ownerEmail };
  const { accessToken, sessionId } = await signIn(api, team);
  const { teamId } = team;
  const runId = await storeReport(api.database, teamId, await sampleReport(), { ranks: 1, steps: 2 });
  await api.app
    .get(ObjectStore)
    .write(`teams/${teamId}/x`, Readable.from([Buffer.from('bytes')]), { maxBytes: 5 });
  const ids = await api.database.forTeam(teamId, (scope) => fill(scope, runId, mark));
  return {
    ...team,
    mark,
    owner: { Authorization: `Bearer ${accessToken}` },
    ids: { ...ids, '/v1/auth/sessions/{id}': sessionId, '/v1/members/{userId}': team.ownerId },
  };
}

async function fill(scope: TeamScope, runId: string, mark: string) {
  const { teamId } = scope;
  const texts = { model: mark, cluster: mark, workload: mark, branch: mark, commit: mark, tags: [mark] };
  await scope.run.update({
    where: { id: runId },
    data: { ...texts, metadata: { note: mark }, setup: { hardware: { gpu: mark } } },
  });
  await scope.analysis.updateMany({ where: { teamId, runId }, data: { summary: mark } });
  const artifact = await scope.artifact.create({
    data: {
      ...{ teamId, runId, name: `${mark}.json`, sizeBytes: 5n, sha256: 'a'.repeat(64) },
      ...{ objectKey: `teams/${teamId}/x`, state: 'uploaded', partSizeBytes: 5_242_880 },
    },
  });
  const token = await scope.apiToken.create({
    data: { teamId, name: mark, prefix: `sst_${mark}`, tokenHash: tokenHash(mark), scopes: ['runs:read'] },
  });
  const data = { state: 'done', note: mark };
  const event = await scope.teamEvent.create({ data: { teamId, type: 'run.done', runId, data } });
  const webhook = await scope.webhookEndpoint.create({
    data: {
      ...{ teamId, url: `https://${mark}.test/`, description: mark },
      ...{ events: ['run.done'], payloadFormat: 'stallscope' },
    },
  });
  const delivery = await scope.webhookDelivery.create({
    data: {
      ...{ teamId, endpointId: webhook.id, eventId: event.id, eventType: 'run.done' },
      ...{ body: JSON.stringify({ mark }), state: 'delivered', endedAt: new Date() },
    },
  });
  await scope.usageDay.create({ data: { teamId, day: new Date(), runs: 1 } });
  const invitation = await scope.invitation.create({
    data: {
      ...{ teamId, email: `guest@${mark}.test`, role: 'member', tokenHash: tokenHash(`i${mark}`) },
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  });
  const serviceAccount = await scope.serviceAccount.create({
    data: { teamId, name: mark, description: mark },
  });
  const series = await scope.series.create({
    data: {
      ...{ teamId, model: mark, cluster: mark, workload: mark, comparability: `custom:${mark}` },
      lastRunAt: new Date(),
    },
  });
  const regression = await addRegression(scope, { seriesId: series.id, runId, mark });
  const rules = [{ metric: 'step-time', max: 1 }];
  const policy = { version: 1, description: mark, rules, minimumEvidence: { commits: 5 } };
  await scope.gatePolicy.create({
    data: {
      teamId,
      name: mark,
      revision: 1,
      policy: { ...policy, whenInconclusive: 'pass' },
      createdBy: mark,
    },
  });
  const ladder = await scope.ladder.create({ data: { teamId, name: mark, description: mark } });
  await scope.ladderRung.create({ data: { teamId, ladderId: ladder.id, ordinal: 0, runId, label: mark } });
  await recordAudit(scope, operator, { action: 'team.created', details: { note: mark } });
  return {
    '/v1/tokens/{id}': token.id,
    '/v1/runs/{id}': runId,
    '/v1/runs/{id}/artifacts/{artifactId}': artifact.id,
    '/v1/invitations/{id}': invitation.id,
    '/v1/service-accounts/{id}': serviceAccount.id,
    '/v1/series/{id}': series.id,
    '/v1/regressions/{id}': regression,
    '/v1/ladders/{id}': ladder.id,
    '/v1/gates/policies/{name}': mark,
    '/v1/webhooks/{id}': webhook.id,
    '/v1/webhooks/{id}/deliveries/{deliveryId}': delivery.id,
  };
}

async function addRegression(
  scope: TeamScope,
  { seriesId, runId, mark }: { seriesId: string; runId: string; mark: string },
): Promise<string> {
  const { teamId } = scope;
  const { id } = await scope.regression.create({
    data: {
      ...{ teamId, seriesId, branch: mark, metricId: 'step-time', metrics: [], firstBadAt: new Date() },
      ...{ before: 1, after: 2, changeRatio: 1, firstBadRunId: runId, firstBadCommit: mark },
    },
  });
  await scope.regressionAct.create({ data: { teamId, regressionId: id, act: 'opened', reason: mark } });
  return id;
}

/** Operations that make what they name where it is not there: of another team's names they see nothing. */
export const CREATING = ['PUT /v1/gates/policies/{name}'];

/** Ids that nothing has. */
export function nobodysIds(): Ids {
  return Object.fromEntries(NAMING_PATHS.map((path) => [path, randomUUID()])) as Ids;
}

/** The paths within a path that end in a parameter, such as `/v1/runs/{id}`. */
export function namingPathsOf(path: string): string[] {
  const parameters = [...path.matchAll(/\{\w+\}/g)];
  return parameters.map(({ index, 0: parameter }) => path.slice(0, index + parameter.length));
}

/** The path with ids in the place of its parameters. */
export function addressOf(path: string, ids: Ids): string {
  const values = namingPathsOf(path).map((naming) => ids[naming as NamingPath]);
  return path.replace(/\{\w+\}/g, () => values.shift() ?? '');
}
