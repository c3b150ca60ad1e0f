import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { environmentFaults, roleOf } from './deployment-environment';

const ROOT = join(__dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: string[] | Record<string, unknown>;
  stop_grace_period?: string;
}

const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const imageCommand = JSON.parse(/^CMD (.+)$/m.exec(text('infra/docker/Dockerfile'))?.[1] ?? '[]') as string[];

/** The values of infra/docker/example.env; those that people must fill in, filled in. */
const exampleEnv = new Map(
  [...text('infra/docker/example.env').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value !== '' || name.startsWith('BOOTSTRAP_') ? value : 'f'.repeat(64),
  ]),
);

/** As compose fills in a value; fails for a variable that the example does not name. */
function filledIn(value: string): string {
  return value.replace(
    /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind, fallback: string) => {
      const given = exampleEnv.get(name);
      if (given === undefined) throw new Error(`${name} is not in infra/docker/example.env`);
      if (given === '' && kind === '?') throw new Error(`${name} may not be empty`);
      return given === '' && kind === '-' ? fallback : given;
    },
  );
}

describe('docker-compose.yml', () => {
  it('runs every part of the product', () => {
    const roles = ours.map(([, { command }]) => roleOf(command ?? imageCommand));
    expect(roles.sort()).toEqual(['api', 'migrate', 'worker']);
  });

  it.each(ours)('gives %s an environment that the product takes', (_name, { command, environment = {} }) => {
    const role = roleOf(command ?? imageCommand);
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value)]));
    expect(environmentFaults(role, env)).toEqual([]);
    expect('JWT_SECRET' in env).toBe(role === 'api');
  });

  it('holds no secret itself: each comes from the environment, and is refused when it is missing', () => {
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (!/PASSWORD|SECRET|KEY|AUTH|TOKEN/.test(name) || name.startsWith('BOOTSTRAP_')) continue;
        expect(`${name}=${value}`).toMatch(/=\$\{[A-Z0-9_]+:\?[^}]+\}$/);
      }
    }
  });

  it('uses every variable of infra/docker/example.env', () => {
    const used = text('docker-compose.yml');
    for (const name of exampleEnv.keys()) expect(used).toContain(`\${${name}:`);
  });

  it.each(ours)('runs %s without rights and without a writable image', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const instructions = text('infra/docker/Dockerfile');
    expect(instructions).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });

  it('pins what it takes from others, and refers to what is there', () => {
    for (const [name, { image, build, depends_on = [] }] of services) {
      if (build) expect(existsSync(join(ROOT, build.context, build.dockerfile))).toBe(true);
      else expect([name, image]).toEqual([name, expect.stringMatching(/^[a-z0-9/]+:[\w.-]*\d[\w.-]*$/)]);
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of needed) expect(Object.keys(compose.services)).toContain(other);
    }
  });

  it('opens ports to this machine only, and none for the metrics', () => {
    const ports = services.flatMap(([, { ports: open = [] }]) => open);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(ports.join()).not.toContain('9090');
  });

  it('asks the worker for its health where it answers', () => {
    const { environment, healthcheck } = compose.services.worker;
    expect(healthcheck?.test?.join()).toContain(`:${environment?.WORKER_METRICS_PORT}/health/live`);
  });
});

describe('the Dockerfile', () => {
  const copies = [...text('infra/docker/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const sources = copies.flatMap(([, paths]) => paths.split(' '));

  it('copies what is there, and nothing that .dockerignore leaves out', () => {
    const ignored = text('.dockerignore').trim().split('\n');
    expect(sources.length).toBeGreaterThan(8);
    for (const source of sources) {
      expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
      expect(ignored).not.toContain(source);
    }
  });

  it('keeps environment files out of the image', () => {
    expect(text('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '**/*.env', '.git']));
  });

  it('starts what is built', () => {
    for (const entry of ['src/main.ts', 'workers/main.ts']) expect(existsSync(join(ROOT, entry))).toBe(true);
    expect(roleOf(imageCommand)).toBe('api');
  });
});
