/** The role that the running product works as; created by the first migration. */
export const appRole = 'stallscope_app';

// A query of the product takes milliseconds; one that takes this long is stuck, and holds locks.
const statementTimeoutMs = 60_000;
// A process that died inside a transaction must not hold its rows for long.
const idleInTransactionTimeoutMs = 60_000;

/**
 * The connection string with the product's role and time-outs added to its `options`, after those that are there, so
 * that ours win. Works on the text: a URL without a host (Unix socket) is not one for the URL parser.
 */
export function connectionStringFor(url: string, role: string): string {
  const [address, query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const options = [
    parameters.get('options') ?? '',
    `-c role=${role}`,
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${idleInTransactionTimeoutMs}`,
  ];
  parameters.set('options', options.join(' ').trim());
  // A + is a space to some readers of URLs and a plus to others.
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}
