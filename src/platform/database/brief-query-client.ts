import { Client, type QueryResult } from 'pg';

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its client below
const ask = Client.prototype.query as (this: Client, ...question: unknown[]) => unknown;

/** As `query` of pg, in all its forms. */
function askBriefly(this: Client, question: unknown, values?: unknown, callback?: unknown): unknown {
  const hasCallback = typeof values === 'function' || callback !== undefined;
  const isQuery = typeof question === 'object' && question !== null && 'submit' in question;
  if (hasCallback || isQuery) return ask.call(this, question, values, callback);
  return new Promise<QueryResult>((resolve, reject) => {
    const settle = (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result));
    ask.call(this, question, values, settle);
  });
}

/**
 * A client whose answers can be collected as soon as they were read. pg promises an answer by assigning a function to the
 * query; V8 makes such a function an old object, and all it holds, the rows, lives until old objects are collected. A function
 * that comes with the question is young.
 */
export class BriefQueryClient extends Client {
  override query = askBriefly as Client['query'];
}
