import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderEnvExample } from './env-example';
import { ConfigError, loadConfig, loadDatabaseConfig, loadWorkerConfig } from './load-config';

const minimal = {
  DATABASE_URL: 'postgresql://u:p@127.0.0.1/stallscope',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_BUCKET: 'artifacts',
  JWT_SECRET: 'x'.repeat(32),
  WEBHOOK_KEY: 'y'.repeat(32),
};

function refusal(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

describe('loadConfig', () => {
  it('fills in the documented defaults', () => {
    const config = loadConfig(minimal);
    expect(config.http).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      trustProxyHops: 0,
      requestBodyBytes: 2 ** 20,
    });
    expect(config.uploads).toEqual({
      maxArtifactBytes: 20 * 2 ** 30,
      maxRunBytes: 200 * 2 ** 30,
      maxArtifactsPerRun: 4096,
      partBytes: 16 * 2 ** 20,
      urlTtlS: 3600,
      expiryS: 604_800,
      lateArtifactsS: 86_400,
      ingestMaxBytes: 5 * 2 ** 30,
    });
    expect(config.analysis).toMatchObject({ timeoutS: 600, memoryMib: 2048, maxEvents: 30_000_000 });
    expect(config.auth.bootstrap).toBeUndefined();
    expect(config.queue).toEqual({ backend: 'redis', redisUrl: minimal.REDIS_URL, prefix: 'stallscope' });
  });

  it('names every bad variable at once, and no value', () => {
    const lines = refusal({
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@db',
      JWT_SECRET: 'short',
      S3_REGION: '',
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        'PORT must be at most 65535',
        'DATABASE_URL must be a URL that starts with postgresql:// or postgres://',
        'JWT_SECRET must have at least 32 characters',
        'S3_BUCKET is required',
      ]),
    );
    expect(lines.join()).not.toMatch(/hunter2|short/);
  });

  it('wants an OpenID provider whole, reachable and over an encrypted line', () => {
    const oidc = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
    const complete = { ...minimal, ...oidc, PUBLIC_URL: 'https://stallscope.test/' };
    expect(loadConfig(complete).auth.oidc).toMatchObject({
      issuer: 'https://id.test',
      publicUrl: 'https://stallscope.test',
      scopes: 'openid email profile',
    });
    expect(loadConfig({ ...complete, OIDC_ISSUER: 'http://127.0.0.1:9' }).auth.oidc).toBeDefined();
    expect(loadConfig(minimal).auth.oidc).toBeUndefined();
    expect(refusal({ ...complete, OIDC_CLIENT_SECRET: undefined })[0]).toMatch(
      /^OIDC_CLIENT_SECRET is missing/,
    );
    expect(refusal({ ...complete, PUBLIC_URL: undefined })[0]).toMatch(/^PUBLIC_URL is needed/);
    for (const issuer of ['http://id.test', 'http://127.0.0.1.evil.test', 'ftp://id.test', 'https://']) {
      expect(refusal({ ...complete, OIDC_ISSUER: issuer })[0]).toMatch(/^OIDC_ISSUER must be/);
    }
    expect(refusal({ ...complete, OIDC_SCOPES: 'email' })).toEqual(['OIDC_SCOPES must contain openid']);
  });

  it('lets no access token outlive its session', () => {
    expect(refusal({ ...minimal, REFRESH_TTL_S: '899' })).toEqual([
      'REFRESH_TTL_S must be at least JWT_TTL_S',
    ]);
    expect(refusal({ ...minimal, SESSION_MAX_S: '1000' })[0]).toMatch(/^SESSION_MAX_S must be/);
  });

  it('wants exactly one way to a queue', () => {
    expect(refusal({ ...minimal, REDIS_URL: undefined })[0]).toMatch(/^REDIS_URL is required/);
    expect(refusal({ ...minimal, STALLSCOPE_QUEUE: 'postgres' })[0]).toMatch(/keep one of the two/);
    expect(loadConfig({ ...minimal, REDIS_URL: '', STALLSCOPE_QUEUE: 'postgres' }).queue).toMatchObject({
      backend: 'postgres',
      databaseUrl: minimal.DATABASE_URL,
    });
  });

  it('wants variables that go together to come together', () => {
    expect(refusal({ ...minimal, S3_ACCESS_KEY_ID: 'a' })).toEqual([
      'S3_SECRET_ACCESS_KEY is missing; S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY go together',
    ]);
    expect(refusal({ ...minimal, BOOTSTRAP_TEAM_SLUG: 'research' })).toHaveLength(2);
  });

  it.each([
    ['20GiB', 20 * 2 ** 30],
    ['4096', 4096],
    ['1TiB', 2 ** 40],
  ])('reads %s as bytes', (text, bytes) => {
    expect(loadConfig({ ...minimal, MAX_ARTIFACT_BYTES: text }).uploads.maxArtifactBytes).toBe(bytes);
  });

  it.each(['20GB', '-1', '1e9', '0', 'NaN', '99999999TiB'])('refuses %s as bytes', (text) => {
    expect(refusal({ ...minimal, MAX_ARTIFACT_BYTES: text })[0]).toMatch(/^MAX_ARTIFACT_BYTES must/);
  });
});

describe('CORS_ORIGINS', () => {
  const originsOf = (text: string) => loadConfig({ ...minimal, CORS_ORIGINS: text }).http.corsOrigins;

  it('is a list of exact origins, none unless given', () => {
    expect(loadConfig(minimal).http.corsOrigins).toEqual([]);
    expect(originsOf('https://a.test, http://127.0.0.1:3000')).toEqual([
      'https://a.test',
      'http://127.0.0.1:3000',
    ]);
  });

  it.each(['*', 'null', 'https://*.a.test/', 'https://a.test/', 'https://a.test/x', 'a.test', 'file:///x'])(
    'refuses %s',
    (text) => {
      expect(refusal({ ...minimal, CORS_ORIGINS: text })[0]).toMatch(/^CORS_ORIGINS must be origins/);
    },
  );
});

describe('loadWorkerConfig', () => {
  const { JWT_SECRET: _, ...withoutSecret } = minimal;

  it('needs no secret that signs sessions, and takes none when it is there', () => {
    const config = loadWorkerConfig(withoutSecret);
    expect(loadWorkerConfig(minimal)).toEqual(config);
    expect(JSON.stringify(loadWorkerConfig(minimal))).not.toContain(minimal.JWT_SECRET);
    const { auth, teams, ...rest } = loadConfig(minimal);
    expect(teams).toEqual({ allowCreation: false });
    expect(auth.jwtSecret).toBe(minimal.JWT_SECRET);
    expect(rest).toEqual(config);
  });

  it('checks the rest as the API does', () => {
    expect(() => loadWorkerConfig({ ...withoutSecret, S3_ACCESS_KEY_ID: 'a' })).toThrow(ConfigError);
    expect(() => loadWorkerConfig({ ...withoutSecret, REDIS_URL: undefined })).toThrow('REDIS_URL');
    expect(() => loadWorkerConfig({ ...withoutSecret, TRACE_SAMPLE_RATIO: '1.5' })).toThrow('TRACE_SAMPLE');
  });
});

describe('WEBHOOK_ALLOWED_PRIVATE_HOSTS', () => {
  const read = (list: string) =>
    loadConfig({ ...minimal, WEBHOOK_ALLOWED_PRIVATE_HOSTS: list }).webhooks.allowedPrivateHosts;

  it('is a list of names, addresses and ranges', () => {
    expect(read('Chat.Internal, 10.1.0.0/16,::1')).toEqual(['chat.internal', '10.1.0.0/16', '::1']);
    expect(loadConfig(minimal).webhooks.allowedPrivateHosts).toEqual([]);
  });

  it.each(['http://chat.internal', '10.0.0.0/99', 'chat.internal:8443', 'a b', '*'])(
    'refuses %s',
    (entry) => {
      expect(() => read(entry)).toThrow(/WEBHOOK_ALLOWED_PRIVATE_HOSTS must be/);
    },
  );
});

describe('loadDatabaseConfig', () => {
  it('needs only Postgres', () => {
    expect(loadDatabaseConfig({ DATABASE_URL: minimal.DATABASE_URL })).toEqual({
      url: minimal.DATABASE_URL,
      poolSize: 10,
    });
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(__dirname, '../../../.env.example'), 'utf8');

  it('is what the schema says; refresh it with: node dist/src/main.js env-example > .env.example', () => {
    expect(text).toBe(renderEnvExample());
  });

  it('explains every variable', () => {
    expect(text.match(/^#?[A-Z0-9_]+=/gm)).toHaveLength(text.match(/^# .+\n#?[A-Z0-9_]+=/gm)?.length ?? 0);
  });
});
