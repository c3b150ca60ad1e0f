import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Metrics } from '../src/platform/telemetry';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Answers GET /metrics and GET /health/live of a worker process, which has no other routes. */
export async function serveMetrics(
  { registry }: Metrics,
  host: string,
  port: number,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/health/live') {
      response.setHeader('content-type', 'application/json').end('{"status":"ok"}');
    } else if (path === '/metrics') {
      registry.metrics().then(
        (text) => response.setHeader('content-type', registry.contentType).end(text),
        () => response.writeHead(500).end(),
      );
    } else {
      response.writeHead(404).end();
    }
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
