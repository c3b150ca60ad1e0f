import ipaddr from 'ipaddr.js';

/** Whoever has one address of IPv6 has all of its /64. */
const prefixBits = 64;

/**
 * The key under which a client's address is counted: an IPv4 address itself, of IPv6 the network that one client is given.
 * What is no address is a key of its own.
 */
export function networkKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${prefixBits}`);
  return `${network.toString()}/${prefixBits}`;
}
