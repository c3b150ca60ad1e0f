import { type NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import request from 'supertest';
import { createApi } from '../../src/entry/create-api';
import { createTeamsService, type Scope, type TeamsService } from '../../src/modules/teams';
import { loadConfig } from '../../src/platform/config';
import { Database } from '../../src/platform/database';
import { createLogger } from '../../src/platform/telemetry';
import { createTestEnvironment, type TestEnvironment } from './environment';

export const ownerPassword = 'correct horse battery staple';

export interface TestTeam {
  teamId: string;
  ownerId: string;
  slug: string;
  ownerEmail: string;
}

export interface InProcessApi {
  app: NestExpressApplication;
  environment: TestEnvironment;
  database: Database;
  teams: TeamsService;
  /** Everything that was logged, as text. */
  logText(): string;
  /** A client for the API's address. */
  http(): ReturnType<typeof request>;
  /** A team with an owner whose password is `ownerPassword`. */
  createTeam(): Promise<TestTeam>;
  /** An Authorization header with a new token of the team. */
  tokenHeader(teamId: string, scopes: Scope[]): Promise<{ Authorization: string }>;
  stop(): Promise<void>;
}

/**
 * The real API in this process, on a port of its own, against real servers. One at a time: the strategies of the sign-in
 * library are global to a process.
 */
export async function startInProcessApi(overrides: Record<string, string> = {}): Promise<InProcessApi> {
  const environment = await createTestEnvironment({ LOG_LEVEL: 'debug', ...overrides });
  const config = loadConfig(environment.env);
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await createApi(config, createLogger(config.log, sink));
  await app.listen(0, '127.0.0.1');
  const database = new Database(config.database);
  const teams = createTeamsService(database);
  return {
    app,
    environment,
    database,
    teams,
    logText: () => lines.join(''),
    http: () => request(app.getHttpServer()),
    createTeam: async () => {
      const slug = `t${randomBytes(6).toString('hex')}`;
      const ownerEmail = `owner@${slug}.test`;
      const owner = { email: ownerEmail, password: ownerPassword };
      return { ...(await teams.createTeamWithOwner({ slug, owner })), slug, ownerEmail };
    },
    tokenHeader: async (teamId, scopes) => {
      const { token } = await teams.createApiToken(teamId, { name: 'test', scopes });
      return { Authorization: `Bearer ${token}` };
    },
    stop: async () => {
      await app.close();
      await database.close();
      await environment.drop();
    },
  };
}
