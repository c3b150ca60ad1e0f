import { OutboundRefused } from './outbound-error';
import { parseOutboundUrl } from './parse-outbound-url';

const parse = (text: string, allowHttp = false) => parseOutboundUrl(text, { allowHttp }).href;

describe('parseOutboundUrl', () => {
  it.each([
    ['https://hooks.test', 'https://hooks.test/'],
    ['https://hooks.test:8443/a?b=c#d', 'https://hooks.test:8443/a?b=c'],
    ['  HTTPS://Hooks.Test/A ', 'https://hooks.test/A'],
    ['https://bücher.test/', 'https://xn--bcher-kva.test/'],
    ['https://2130706433/', 'https://127.0.0.1/'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://①②⑦.0.0.1/', 'https://127.0.0.1/'],
    ['https://127.0.0.1./', 'https://127.0.0.1/'],
    ['https://[0:0::ffff:7f00:1]/', 'https://[::ffff:7f00:1]/'],
  ])('reads %s as %s', (text, href) => expect(parse(text)).toBe(href));

  it.each([
    'http://hooks.test/',
    'ftp://hooks.test/',
    'file:///etc/passwd',
    'gopher://hooks.test/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https://',
    'https://user@hooks.test/',
    'https://user:password@hooks.test/',
    'https://:password@hooks.test/',
    'https://hooks.test:22/',
    'https://hooks.test:25/',
    'https://hooks.test:70000/',
    'https://hooks.test./',
    'https://hooks.test\u0000.evil.test/',
    'https://a b.test/',
    'https://[::1%25eth0]/',
    'https://1.2.3.4.5/',
    `https://hooks.test/${'a'.repeat(2_048)}`,
    'hooks.test',
    '',
  ])('refuses %j', (text) => expect(() => parse(text)).toThrow(OutboundRefused));

  it('takes http only where it is allowed', () => {
    expect(parse('http://hooks.test/', true)).toBe('http://hooks.test/');
    expect(() => parse('ws://hooks.test/', true)).toThrow(/https:\/\/ or http:\/\//);
  });
});
