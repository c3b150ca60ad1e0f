import { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attributes, diag, DiagLogLevel, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { type Request } from 'express';
import { type Logger } from 'pino';
import { type ProcessKind } from './process-kind';
import { productVersion } from './product-version';
import { quietPaths } from './quiet-paths';
import { routeOf } from './route-of';
import { SpanScrubber } from './span-scrubber';

/** Traces of one process. */
export interface Tracing {
  /** Sends what is left, within two seconds, and never throws. */
  stop(): Promise<void>;
}

export interface TraceExport {
  /** Base URL of the collector. */
  endpoint: string;
  /** 0 to 1. */
  sampleRatio: number;
  kind: ProcessKind;
  logger: Logger;
}

/** The end of the process waits no longer than this for a collector that does not answer. */
const STOP_BOUND_MS = 1_500;
const EXPORT_TIMEOUT_MS = 5_000;
/** A collector that is away would otherwise fill the log. */
const COMPLAIN_EVERY_MS = 60_000;

/** Sends spans of HTTP requests, SQL and analyses to a collector. */
export function exportTraces({ endpoint, sampleRatio, kind, logger }: TraceExport): Tracing {
  complainTo(logger);
  const ratio = new TraceIdRatioBasedSampler(sampleRatio);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `stallscope-${kind}`,
      'service.version': productVersion(),
    }),
    // A client may ask for its own trace, and cannot make us keep more than our part.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [
      new SpanScrubber(),
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ),
    ],
  });
  provider.register();
  // Each wraps its library from now on.
  void new HttpInstrumentation({
    ignoreIncomingRequestHook: ({ url = '' }) => quietPaths.test(url.split('?')[0]),
    requireParentforOutgoingSpans: true,
    applyCustomAttributesOnSpan: (span, request) => {
      if (request instanceof IncomingMessage) nameByRoute(span, request as Request);
    },
  });
  void new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
  return {
    stop: async () => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(STOP_BOUND_MS, undefined, { ref: false })]);
    },
  };
}

/** Routes are few, so that spans can be grouped by name; ids go to attributes. */
function nameByRoute(span: Span, request: Request & { principal?: { teamId: string } }): void {
  const route = routeOf(request);
  const requestId = typeof request.id === 'string' ? request.id : '';
  const attributes: Attributes = { 'http.route': route, 'stallscope.request_id': requestId };
  if (request.principal) attributes['stallscope.team_id'] = request.principal.teamId;
  span.updateName(`${request.method} ${route}`).setAttributes(attributes);
}

function complainTo(logger: Logger): void {
  let complainedAtMs = -COMPLAIN_EVERY_MS;
  const complain = (message: string) => {
    if (performance.now() - complainedAtMs < COMPLAIN_EVERY_MS) return;
    complainedAtMs = performance.now();
    logger.warn({ detail: message.slice(0, 500) }, 'traces may be lost');
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
}
