import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AddressRules } from './address-rules';
import { OutboundFailed, OutboundRefused, toOutboundFailed } from './outbound-error';
import { parseOutboundUrl } from './parse-outbound-url';
import { readExcerpt } from './read-excerpt';
import { createHostResolver, type HostResolver } from './resolve-host';

const largestHeaderBytes = 16_384;
const checkTimeoutMs = 3_000;

export interface OutboundPolicy {
  allowHttp: boolean;
  /** Names, addresses and ranges of private hosts that may be called all the same, in lower case. */
  allowedPrivateHosts: readonly string[];
}

export interface OutboundCall {
  headers: Record<string, string>;
  body: string;
  /** For all of it: finding the host, connecting, waiting and reading. */
  timeoutMs: number;
}

export interface OutboundAnswer {
  status: number;
  /** The beginning of the answer's body as one printable line. */
  excerpt: string;
}

/**
 * Calls addresses that strangers gave us. A host is looked up once, every address it has is checked, and only these are
 * connected to, so that no second look-up can lead elsewhere. Redirects are not followed; no proxy is used.
 */
export class OutboundHttp {
  private readonly rules: AddressRules;
  private readonly resolve: HostResolver;

  /** `resolve` is for tests. */
  constructor(
    private readonly policy: OutboundPolicy,
    resolve?: HostResolver,
  ) {
    this.rules = new AddressRules(policy.allowedPrivateHosts);
    this.resolve = resolve ?? createHostResolver(this.rules);
  }

  /**
   * The address in its plain form when it may be called. Throws `OutboundRefused`. A host that is not known now passes:
   * it is looked up and checked again with each call.
   */
  async check(text: string): Promise<URL> {
    const url = parseOutboundUrl(text, this.policy);
    try {
      await this.addressesOf(url, AbortSignal.timeout(checkTimeoutMs));
    } catch (error) {
      if (error instanceof OutboundRefused) throw error;
    }
    return url;
  }

  /** Throws `OutboundRefused` or `OutboundFailed`. An answer whose body does not end is an answer all the same. */
  async post(text: string, { headers, body, timeoutMs }: OutboundCall): Promise<OutboundAnswer> {
    const url = parseOutboundUrl(text, this.policy);
    const signal = AbortSignal.timeout(timeoutMs);
    const addresses = await this.addressesOf(url, signal);
    const response = await send(url, addresses, headers, body, signal);
    return { status: response.statusCode ?? 0, excerpt: await readExcerpt(response) };
  }

  private async addressesOf(url: URL, signal: AbortSignal): Promise<string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    let addresses: string[];
    try {
      addresses = await Promise.race([this.resolve(host, signal), abortOf(signal)]);
    } catch (error) {
      throw toOutboundFailed(error);
    }
    if (addresses.length === 0) throw new OutboundFailed('the name of the host is not known');
    if (!this.rules.allowsName(host) && !addresses.every((address) => this.rules.allowsAddress(address)))
      throw new OutboundRefused(`Its host ${host} is not one of the internet.`);
    return addresses;
  }
}

/** Rejects when the time is over; not every look-up can be cancelled. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new OutboundFailed('the host was not found in time'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Resolves when the head of the answer is there. */
function send(
  url: URL,
  addresses: readonly string[],
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { request: open, Agent } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // An agent of its own: no connection made for one address is used for another, and no proxy.
      agent: new Agent({ keepAlive: false }),
      lookup: lookupPinned(addresses),
      maxHeaderSize: largestHeaderBytes,
      rejectUnauthorized: true,
      signal,
    });
    request.once('response', resolve);
    request.on('error', (error) => reject(toOutboundFailed(error)));
    // Some endings, such as an upgrade that nobody asked for, are no error to Node.js.
    request.once('close', () => reject(new OutboundFailed('the connection ended without an answer')));
    request.end(body);
  });
}

/** Answers every look-up of a connection with the addresses that were checked. */
function lookupPinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0].address, found[0].family);
  };
}
