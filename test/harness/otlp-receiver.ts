import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  startNs: bigint;
  endNs: bigint;
  attributes: Record<string, unknown>;
}

export interface OtlpReceiver {
  url: string;
  spans(): readonly ReceivedSpan[];
  /** Everything that came, as text. */
  text(): string;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface TracesBody {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Record<string, string> & { attributes: Attribute[] })[] }[];
  }[];
}

/** A collector that takes traces over OTLP/HTTP as JSON and keeps them in memory. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap(read),
    text: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as TracesBody;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
