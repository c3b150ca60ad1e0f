import { type Server } from 'node:http';

// Headers come in one go from an honest client.
const headersTimeoutMs = 15_000;
// The longest a request may take to arrive as a whole: a streamed file over a slow line.
const requestTimeoutMs = 4 * 3_600_000;
// Longer than the 60 s after which load balancers drop idle connections, so that we never close first.
const keepAliveTimeoutMs = 75_000;
// A connection on which nothing moves at all.
const idleSocketTimeoutMs = 120_000;

/** Bounds how long a connection may occupy the server. */
export function setServerTimeouts(server: Server): void {
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.timeout = idleSocketTimeoutMs;
}
