import { type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isApiPath } from './security-headers';

/** Setting of the application: whether there are pages. */
const hasPages = 'stallscope pages';
const yearS = 31_536_000;
/** Files of the build and the page of the API have their own addresses, and what is not there is not there. */
const notPages = /^\/(assets|docs)(\/|$)/i;

/**
 * Serves the built web application: files whose names carry a hash of their bytes for ever, and index.html for every page
 * that a browser opens, since the application itself reads the address. Without a build there are no pages and the API is
 * as it was. Call it before the application is initialised, so that pages come before the routes' answer for unknown paths.
 */
export function serveWeb(app: NestExpressApplication, folder: string): void {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return;
  const page = readFileSync(file);
  // Not the time of the file: after a step back to an older release it would be older than what browsers have.
  const tag = `"${createHash('sha256').update(page).digest('base64url')}"`;
  app.set(hasPages, true);
  app.useStaticAssets(join(folder, 'assets'), {
    prefix: '/assets/',
    index: false,
    redirect: false,
    setHeaders: (response: Response) =>
      void response.setHeader('Cache-Control', `public, max-age=${yearS}, immutable`),
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isPage(request)) return next();
    response.vary('Accept');
    response.set({ 'Cache-Control': 'no-cache', ETag: tag }).type('html').send(page);
  });
}

function isPage(request: Request): boolean {
  return !isApiPath(request.path) && !notPages.test(request.path) && asksForPage(request);
}

/** Whether a browser asks for a page, and there are some; clients of the API, which do not ask for HTML, get problems. */
export function asksForPage(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return request.app.get(hasPages) === true && request.accepts(['json', 'html']) === 'html';
}
