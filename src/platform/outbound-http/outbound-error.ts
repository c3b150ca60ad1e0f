/** An address that must not be called. The message says why, for whoever gave the address. */
export class OutboundRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'OutboundRefused';
  }
}

/** A call that got no answer. The message says how it ended, and nothing of our own network. */
export class OutboundFailed extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'OutboundFailed';
  }
}

/** What the codes of Node.js mean; their own messages name addresses. */
const CAUSES: Record<string, string> = {
  ENOTFOUND: 'the name of the host is not known',
  ENODATA: 'the name of the host has no address',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the host did not answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by nobody known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by nobody known',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** The failure behind an error of Node.js. */
export function toOutboundFailed(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error;
  const code = codeOf(error);
  if (code === 'ABORT_ERR') return new OutboundFailed('no answer in time', { cause: error });
  const reason = CAUSES[code] ?? (code.startsWith('HPE_') ? 'the answer is not HTTP' : 'the call failed');
  return new OutboundFailed(code ? `${reason} (${code})` : reason, { cause: error });
}

/** Several addresses that failed are one error with a list; the first says enough. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
