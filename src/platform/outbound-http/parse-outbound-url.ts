import { OutboundRefused } from './outbound-error';

const longestUrl = 2_048;
const lowestFreePort = 1_024;

/**
 * The address that a text names, as the URL standard reads it: odd spellings of hosts (decimal, hexadecimal, other
 * alphabets) are plain ones afterwards. Throws `OutboundRefused` for what must not be called whatever it leads to.
 */
export function parseOutboundUrl(text: string, { allowHttp }: { allowHttp: boolean }): URL {
  if (text.length > longestUrl) throw new OutboundRefused(`It is longer than ${longestUrl} characters.`);
  if (!URL.canParse(text)) throw new OutboundRefused('It is no URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw new OutboundRefused(`It must start with https://${allowHttp ? ' or http://' : ''}.`);
  if (url.username !== '' || url.password !== '')
    throw new OutboundRefused('It holds a user name or a password.');
  if (url.hostname.endsWith('.')) throw new OutboundRefused('Its host ends with a dot.');
  // Below are the ports of other services, mail above all.
  const port = Number(url.port);
  if (url.port !== '' && port !== 80 && port !== 443 && port < lowestFreePort)
    throw new OutboundRefused(`Its port must be 80, 443 or at least ${lowestFreePort}.`);
  // Servers are never sent it.
  url.hash = '';
  return url;
}
