import { readdirSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { serveWeb } from '../../src/platform/http';
import { ensureWebBuilt } from '../harness/build';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let api: InProcessApi;
let assets: string[];

beforeAll(async () => {
  const web = await ensureWebBuilt();
  assets = readdirSync(join(web, 'assets'));
  api = await startInProcessApi();
}, 180_000);
afterAll(() => api.stop());

describe('the pages', () => {
  it.each(['/', '/sign-in', '/t/some-team/runs', '/t/some-team/runs/0190?x=1', '/v1x'])(
    'are one document, asked for again each time: %s',
    async (path) => {
      const { headers, text } = await api.http().get(path).set(HTML).expect(200);
      expect(text).toContain('<div id="root">');
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining('text/html'),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(/script-src 'self';.*frame-ancestors 'none'/),
      });
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
      await api.http().get(path).set(HTML).set('If-None-Match', headers.etag).expect(304);
      await api.http().head(path).set(HTML).expect(200);
    },
  );

  it('have files that browsers keep for ever, since their names change with their bytes', async () => {
    expect(assets.length).toBeGreaterThan(3);
    for (const name of assets) {
      expect(name).toMatch(/-[\w-]{8}\.(js|css|svg)$/);
      const { headers } = await api.http().get(`/assets/${name}`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('do not hide that a file is not there', async () => {
    for (const path of [
      '/assets/gone.js',
      '/assets/',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/.vite/manifest.json',
    ]) {
      expectProblem(await api.http().get(path).set(HTML), 'route-not-found');
    }
  });

  it('leave the API its answers', async () => {
    for (const path of ['/v1/nothing', '/V1/nothing', '/health/nothing', '/v1']) {
      expectProblem(await api.http().get(path).set(HTML), 'route-not-found');
    }
    expectProblem(await api.http().get('/nothing'), 'route-not-found');
    expectProblem(await api.http().get('/nothing').set('Accept', 'application/json'), 'route-not-found');
    expectProblem(await api.http().post('/nothing').set(HTML).send({}), 'route-not-found');
    expectProblem(await api.http().get('/v1/runs').set(HTML), 'unauthenticated');
    expect((await api.http().get('/docs').set(HTML).redirects(1)).text).toContain('swagger');
    expect((await api.http().get('/openapi.json').set(HTML)).body).toMatchObject({ openapi: '3.1.0' });
  });

  it('may be missing: the API is as it was', async () => {
    @Module({})
    class EmptyModule {}
    const folder = mkdtempSync(join(tmpdir(), 'stallscope-no-web-'));
    const app = await NestFactory.create<NestExpressApplication>(EmptyModule, { logger: false });
    try {
      serveWeb(app, folder);
      await app.listen(0, '127.0.0.1');
      await request(app.getHttpServer()).get('/').set(HTML).expect(404);
    } finally {
      await app.close();
      rmSync(folder, { recursive: true });
    }
  });
});
