import { type RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { productVersion } from './product-version';
import { routeOf } from './route-of';
import { type ProcessKind } from './process-kind';

// Most answers take milliseconds; streamed ingests take minutes.
const durationBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600];

/**
 * The metrics of one process, in a registry of their own. Other parts register theirs with `registry`. Labels never
 * name a team, a run or anything else of which there can be many.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #durations: Histogram<'method' | 'route' | 'status'>;

  constructor(kind: ProcessKind) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'stallscope_build_info',
      help: 'Always 1; the labels say what runs.',
      labelNames: ['version', 'node', 'process'],
      registers: [this.registry],
    }).set({ version: productVersion(), node: process.version, process: kind }, 1);
    this.#durations = new Histogram({
      name: 'stallscope_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: durationBucketsS,
      registers: [this.registry],
    });
  }

  /** Measures every request; an answer that the client did not wait for counts as status 499. */
  observeRequests(): RequestHandler {
    return (request, response, next) => {
      const started = process.hrtime.bigint();
      response.once('close', () => {
        const status = String(response.writableFinished ? response.statusCode : 499);
        const durationS = Number(process.hrtime.bigint() - started) / 1e9;
        this.#durations.observe({ method: request.method, route: routeOf(request), status }, durationS);
      });
      next();
    };
  }
}
