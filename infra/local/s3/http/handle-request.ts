import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { routeRequest } from '../operations/route';
import { authenticate, type Credentials } from '../sigv4/authenticate';
import { type BucketRegistry } from '../store/bucket-registry';
import { parseRequest, withQueryHeaders } from './parse-request';
import { S3Error } from './s3-error';
import { xmlDocument } from './xml-write';

/** What every request is handled with. */
export interface ServerContext {
  registry: BucketRegistry;
  credentials: Credentials;
  nowMs: () => number;
  /** Gets failures that are the server's own, with the request's id. */
  logFailure: (message: string) => void;
}

const MAX_DRAIN_BYTES = 8 * 1024 ** 2;
const MAX_DRAIN_MS = 2000;

/** Reads what is left of a refused body, within bounds: many clients read the answer only after their last byte. */
function drain(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (raw.complete || raw.destroyed) return resolve();
    const timer = setTimeout(resolve, MAX_DRAIN_MS);
    const finish = () => (clearTimeout(timer), resolve());
    let drainedBytes = 0;
    raw.on('data', (piece: Buffer) => {
      drainedBytes += piece.length;
      if (drainedBytes > MAX_DRAIN_BYTES) finish();
    });
    raw.on('end', finish).on('close', finish).on('error', finish);
    raw.resume();
  });
}

function sendError(raw: IncomingMessage, response: ServerResponse, error: S3Error, requestId: string): void {
  const headers: Record<string, string | number> = { ...error.headers };
  if (!raw.complete) headers.connection = 'close';
  const bodiless = raw.method === 'HEAD' || error.status === 304;
  const document = xmlDocument('Error', [
    ['Code', error.code],
    ['Message', error.message],
    ['Resource', (raw.url ?? '').split('?')[0] ?? ''],
    ['RequestId', requestId],
    ['HostId', 'local'],
  ]);
  if (!bodiless) {
    headers['content-type'] = 'application/xml';
    headers['content-length'] = Buffer.byteLength(document);
  }
  response.writeHead(error.status, headers);
  response.end(bodiless ? undefined : document);
}

/** Handles one request from parsing to the last byte of its answer; never throws. */
export async function handleRequest(
  context: ServerContext,
  raw: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  let continued = !expectsContinue;
  const openBody = () => {
    if (!continued) response.writeContinue();
    continued = true;
    return raw as AsyncIterable<Buffer>;
  };
  response.setHeader('x-amz-request-id', requestId);
  response.setHeader('server', 'local-s3');
  try {
    const nowMs = context.nowMs();
    const parsed = parseRequest(raw);
    const auth = authenticate(parsed, context.credentials, nowMs);
    const request = withQueryHeaders(parsed);
    await routeRequest(request)({ request, response, auth, registry: context.registry, openBody, nowMs });
  } catch (error) {
    // The client has gone, or the answer was cut: nothing can be said any more.
    if (raw.socket.destroyed || response.headersSent) return void raw.socket.destroy();
    const known = error instanceof S3Error ? error : new S3Error('InternalError');
    if (error !== known) context.logFailure(`request ${requestId} failed: ${String((error as Error).stack)}`);
    if (continued) await drain(raw);
    sendError(raw, response, known, requestId);
  }
}
