import fc from 'fast-check';
import { AddressRules } from './address-rules';

const nobody = new AddressRules([]);

describe('AddressRules', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700:4700::1111', '2a00:1450:4001::8a'])(
    'lets %s be called',
    (address) => expect(nobody.allowsAddress(address)).toBe(true),
  );

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1'],
    ...['192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.1', '255.255.255.255', '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '100::1'],
    ...['2001::1', '2001:2::1', '2001:db8::1', '2001:10::1', '2001:20::1', '2002:7f00:1::', '2002:808:808::'],
    ...['3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    ...['ff02::1', 'hooks.test', '', '8.8.8.8.', ' 8.8.8.8'],
  ])('keeps %j from being called', (address) => expect(nobody.allowsAddress(address)).toBe(false));

  it('lets no address through that hides an IPv4 address', () => {
    const hidden = fc.tuple(fc.constantFrom('::', '::ffff:', '64:ff9b::', '2002:'), fc.ipV4());
    fc.assert(
      fc.property(hidden, ([prefix, address]) => {
        const [a, b, c, d] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
        expect(nobody.allowsAddress(`${prefix}${a}${b}:${c}${d}${prefix === '2002:' ? '::1' : ''}`)).toBe(
          false,
        );
      }),
    );
  });

  it('lets the hosts be called that the operator allows, and no others', () => {
    const rules = new AddressRules(['chat.internal', '10.1.0.0/16', '127.0.0.1', 'fd00::/64']);
    expect(
      ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd00::1'].map((a) => rules.allowsAddress(a)),
    ).toEqual([true, true, true, true]);
    expect(
      ['10.2.0.1', '127.0.0.2', 'fd00:1::1', '169.254.169.254'].some((a) => rules.allowsAddress(a)),
    ).toBe(false);
    expect(rules.allowsName('chat.internal')).toBe(true);
    expect(rules.allowsName('other.internal')).toBe(false);
  });
});
