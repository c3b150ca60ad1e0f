import { type ServerResponse } from 'node:http';
import { type S3Request } from '../http/parse-request';
import { type XmlContent, xmlDocument } from '../http/xml-write';
import { type Authenticated } from '../sigv4/authenticate';
import { type BucketRegistry } from '../store/bucket-registry';

/** One verified request on its way through an operation. */
export interface Call {
  request: S3Request;
  response: ServerResponse;
  auth: Authenticated;
  registry: BucketRegistry;
  /** Starts the body; sends `100 Continue` first to a client that waits for it. */
  openBody: () => AsyncIterable<Buffer>;
  nowMs: number;
}

export type Operation = (call: Call) => Promise<void>;

/** Answers with an XML document. */
export function sendXml(
  call: Call,
  name: string,
  content: XmlContent,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(xmlDocument(name, content));
  call.response.writeHead(200, {
    'content-type': 'application/xml',
    'content-length': body.length,
    ...headers,
  });
  call.response.end(body);
}

/** Answers without a body. */
export function sendEmpty(call: Call, status: number, headers: Record<string, string> = {}): void {
  call.response.writeHead(status, status === 204 ? headers : { 'content-length': '0', ...headers });
  call.response.end();
}

/** S3's time format in XML. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export function quoted(etag: string): string {
  return `"${etag}"`;
}
