import { type GateEvaluation, type Report } from '../../presentation';
import { toApiError } from './api-error';
import { withRetries } from './retries';

/** The fields of POST /v1/runs that the command line knows; the server checks the others. */
export interface RunMetadata {
  [field: string]: unknown;
  model: string;
  cluster: string;
  workload?: string;
  branch?: string;
  commit?: string;
  worldSize?: number;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

export interface Run {
  id: string;
  state: 'awaitingUpload' | 'queued' | 'analyzing' | 'done' | 'failed';
  failure?: { code: string; reason: string } | null;
}

export interface PartUpload {
  partNumber: number;
  sizeBytes: number;
  url: string | null;
  uploaded?: boolean;
}

export interface ArtifactUpload {
  id: string;
  state: string;
  partSizeBytes: number;
  parts: PartUpload[];
}

/** A run, and the policy that judges it: one that the server has, or one of the caller's own. */
export interface GateQuestion {
  runId: string;
  policy?: string;
  inlinePolicy?: Record<string, unknown>;
}

/** Code of the problem that a run is still analysed. */
export const NOT_READY = 'report-not-ready';

/** Time for one request to be answered; uploads of parts have their own. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * The public API as the command line, the demonstration and the tests use it. Failures that may heal are retried;
 * others are thrown as ApiError.
 */
export class ApiClient {
  private readonly baseUrl: string;

  /** `server` may have a path, when a proxy serves the API under one. */
  constructor(
    server: string,
    private readonly token: string,
  ) {
    this.baseUrl = server.replace(/\/+$/, '');
  }

  /** Where people and tools read the report of a run. */
  reportUrl(runId: string): string {
    return `${this.runUrl(runId)}/report`;
  }

  /** Where the run itself is. */
  runUrl(runId: string): string {
    return `${this.baseUrl}/v1/runs/${runId}`;
  }

  createRun(metadata: RunMetadata, idempotencyKey: string): Promise<Run> {
    return this.request<Run>('POST', '/v1/runs', metadata, { 'idempotency-key': idempotencyKey });
  }

  /** Registers a file; the answer has the URLs of its first parts, none when the server has its content already. */
  registerArtifact(
    runId: string,
    artifact: { name: string; sizeBytes: number; sha256: string },
  ): Promise<ArtifactUpload> {
    return this.request<ArtifactUpload>('POST', `/v1/runs/${runId}/artifacts`, artifact);
  }

  /** Fresh URLs from part `from` on. */
  listParts(runId: string, artifactId: string, from: number): Promise<{ parts: PartUpload[] }> {
    return this.request('GET', `/v1/runs/${runId}/artifacts/${artifactId}/parts?from=${from}`);
  }

  /** Ends the upload of these artifacts, or of all that are awaited. */
  completeRun(runId: string, artifacts?: readonly string[]): Promise<Run> {
    return this.request<Run>('POST', `/v1/runs/${runId}/complete`, artifacts && { artifacts });
  }

  getRun(runId: string): Promise<Run> {
    return this.request<Run>('GET', `/v1/runs/${runId}`);
  }

  getReport(runId: string): Promise<Report> {
    return this.request<Report>('GET', `/v1/runs/${runId}/report`);
  }

  /** Judges a run by a policy; throws `report-not-ready` at once. Links are whole addresses. Needs gates:evaluate only. */
  async evaluateGate(question: GateQuestion): Promise<GateEvaluation> {
    const evaluation = await this.request<GateEvaluation>(
      'POST',
      '/v1/gates/evaluate',
      question,
      {},
      NOT_READY,
    );
    return { ...evaluation, links: absoluteLinks(evaluation.links, this.baseUrl) };
  }

  private request<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    unretried?: string,
  ): Promise<T> {
    return withRetries(async () => {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      if (!response.ok) throw await toApiError(response);
      return (await response.json()) as T;
    }, unretried);
  }
}

function absoluteLinks(links: GateEvaluation['links'], baseUrl: string): GateEvaluation['links'] {
  const absolute = (link: string | null) => link && baseUrl + link;
  return Object.fromEntries(
    Object.entries(links).map(([name, link]) => [name, absolute(link)]),
  ) as GateEvaluation['links'];
}
