/** What a child process needs beside its orders: credentials of the machine's role, certificates, proxies, time zone. */
const PASSED_ON = /^(AWS_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|TZ|LANG|LC_ALL|SystemRoot)$/;

/**
 * The environment of a child that handles input from outside: the few variables above, and none of our secrets
 * (connection strings, signing keys).
 */
export function childEnvironment(
  env: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const entries = Object.entries(env).filter(([name, value]) => value !== undefined && PASSED_ON.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}
