import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracerName = 'stallscope';

/** W3C `traceparent` of what is going on, to be kept with work for later; null while nothing is traced. */
export function currentTraceParent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** The ids that lead from a log line to its trace; empty while nothing is traced. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Work that continues the trace of the request that asked for it. */
export interface ContinuedWork {
  name: string;
  /** From `currentTraceParent`. */
  traceParent: string | null;
  /** Since when it waited; the wait becomes a span of its own. */
  waitedSince: Date | null;
  /** No secrets; team and run ids are welcome. */
  attributes: Attributes;
}

/** Does the work in a span of the trace that asked for it; throws what the work throws. */
export async function continueTrace<T>(
  { name, traceParent, waitedSince, attributes }: ContinuedWork,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const tracer = trace.getTracer(tracerName);
  const parent = propagation.extract(ROOT_CONTEXT, traceParent === null ? {} : { traceparent: traceParent });
  if (waitedSince) {
    const wait = { kind: SpanKind.CONSUMER, startTime: waitedSince, attributes };
    tracer.startSpan(`${name} wait`, wait, parent).end();
  }
  const options = { kind: SpanKind.CONSUMER, attributes };
  return tracer.startActiveSpan(name, options, parent, (span) => endAfter(span, work));
}

/** Does a part of the work in a span of its own, below the one that is going on. */
export function inSpan<T>(name: string, work: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer(tracerName).startActiveSpan(name, (span) => endAfter(span, work));
}

async function endAfter<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.setStatus({
      code: SpanStatusCode.ERROR,
      message: error instanceof Error ? error.message : String(error),
    });
    throw error;
  } finally {
    span.end();
  }
}
