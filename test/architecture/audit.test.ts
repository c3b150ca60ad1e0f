import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

interface Audit {
  status: number;
  output: string;
}

/** The step of CI, against a registry of our own. */
async function auditAt(answer: RequestListener): Promise<Audit> {
  const registry = createServer(answer);
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  // npm remembers answers.
  const cache = mkdtempSync(join(tmpdir(), 'npm-cache-'));
  try {
    return await new Promise((resolve) => {
      const env = {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_fetch_retries: '0',
        npm_config_cache: cache,
      };
      execFile(process.execPath, ['.ci/audit.mjs'], { cwd: ROOT, env }, (error, output) => {
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, output });
      });
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
    rmSync(cache, { recursive: true, force: true });
  }
}

const advisory = (severity: string) => ({
  pino: [
    {
      id: 1,
      url: 'https://advisories.test/1',
      title: 'made up',
      severity,
      vulnerable_versions: '<999',
      cwe: [],
    },
  ],
});
/** Answers the question for weaknesses; packages themselves have no versions here. */
const answering =
  (body: unknown): RequestListener =>
  ({ method, url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const answer = method === 'POST' ? body : { name, 'dist-tags': {}, versions: {} };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  };

describe('the audit of packages', () => {
  it('fails for a serious weakness, and names the package', async () => {
    const { status, output } = await auditAt(answering(advisory('critical')));
    expect(output).toContain('critical: pino');
    expect(status).toBe(1);
  });

  it('passes when none is known, and when none is serious', async () => {
    expect(await auditAt(answering({}))).toMatchObject({ status: 0 });
    const { status, output } = await auditAt(answering(advisory('moderate')));
    expect(output).toMatch(/[1-9]\d* moderate/);
    expect(status).toBe(0);
  });

  it.each([404, 405, 500])('says that it could not be done where the registry answers %d', async (code) => {
    const { status, output } = await auditAt((_request, response) => void response.writeHead(code).end());
    expect(output).toContain('The audit could not be done here');
    expect(status).toBe(0);
  });
});
