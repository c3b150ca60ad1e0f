import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules } from './address-rules';

/** The addresses of a host, which is a name or an address itself; none when it is not known. */
export type HostResolver = (host: string, signal: AbortSignal) => Promise<string[]>;

const queryTimeoutMs = 2_000;
const queryTries = 2;
const localhost = /(^|\.)localhost$/;

/**
 * Names that the operator allows are looked up as the machine does, which knows its hosts file. All others are asked of
 * DNS alone: a name server that is slow on purpose then holds up no thread that others wait for.
 */
export function createHostResolver(rules: AddressRules): HostResolver {
  return async (host, signal) => {
    if (isIP(host)) return [host];
    if (rules.allowsName(host)) return (await lookup(host, { all: true })).map(({ address }) => address);
    return localhost.test(host) ? ['127.0.0.1', '::1'] : askDns(host, signal);
  };
}

async function askDns(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    // A host that has addresses of one kind only is the rule.
    if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
