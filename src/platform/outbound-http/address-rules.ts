import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

// All that is routed in the internet as IPv6; what lies outside is special, or IPv4 in disguise.
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Which network addresses may be called: those of the internet, and those that the operator allows. */
export class AddressRules {
  private readonly names: ReadonlySet<string>;
  private readonly ranges: readonly [Address, number][];

  /** `allowed`: names, addresses and ranges of private hosts, in lower case. */
  constructor(allowed: readonly string[]) {
    this.names = new Set(allowed);
    this.ranges = allowed.flatMap((entry): [Address, number][] => {
      if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)];
      if (!ipaddr.isValid(entry)) return [];
      const address = ipaddr.parse(entry);
      return [[address, address.kind() === 'ipv4' ? 32 : 128]];
    });
  }

  /** Whether the operator trusts whatever this name leads to. */
  allowsName(host: string): boolean {
    return this.names.has(host);
  }

  /** Whether the address is one of the internet, or in an allowed range. False for text that is no address. */
  allowsAddress(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    return isPublic(address) || this.ranges.some((range) => isWithin(ipaddr.process(text), range));
  }
}

/** Only plain unicast: neither private, local, shared, reserved or multicast, nor a way to IPv4 through IPv6. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isWithin(address, globalUnicast);
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
