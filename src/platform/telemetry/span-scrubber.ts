import { type Attributes } from '@opentelemetry/api';
import { type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { scrubSecrets } from './scrub-secrets';

/** A query may be a signature, a code of a sign-in, anything. */
const URLS = new Set(['url.full', 'http.url', 'http.target']);
const QUERIES = new Set(['url.query']);

/** Takes secrets out of spans before they leave the process: queries of URLs as a whole, and what looks like a secret. */
export class SpanScrubber implements SpanProcessor {
  onStart(): void {
    // Attributes are complete at the end only.
  }

  onEnd(span: ReadableSpan): void {
    scrub(span.attributes);
    for (const { attributes } of span.events) if (attributes) scrub(attributes);
    if (span.status.message !== undefined) span.status.message = scrubSecrets(span.status.message);
  }

  async forceFlush(): Promise<void> {
    // Keeps nothing.
  }

  async shutdown(): Promise<void> {
    // Keeps nothing.
  }
}

function scrub(attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (QUERIES.has(name)) delete attributes[name];
    else if (typeof value === 'string') {
      attributes[name] = scrubSecrets(URLS.has(name) ? value.split('?')[0] : value);
    }
  }
}
