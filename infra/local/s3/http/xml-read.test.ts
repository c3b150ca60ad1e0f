import fc from 'fast-check';
import { S3Error } from './s3-error';
import { childText, parseXml } from './xml-read';
import { xmlDocument } from './xml-write';

describe('parseXml', () => {
  it('reads elements, attributes aside, and text with references', () => {
    const root = parseXml(
      '<?xml version="1.0"?>\n<Delete xmlns="x"> <Object><Key>a &amp; &#x1F600;&#10;b</Key></Object><Quiet/></Delete>\n',
    );
    expect(root.name).toBe('Delete');
    expect(childText(root.children[0], 'Key')).toBe('a & 😀\nb');
    expect(childText(root, 'Quiet')).toBe('');
    expect(childText(root, 'None')).toBeUndefined();
  });

  it('gives back what was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(childText(parseXml(xmlDocument('R', [['Key', text]])), 'Key')).toBe(text);
      }),
    );
  });

  it.each([
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a><b></a></b>',
    '<a/><b/>',
    '<a/>text',
    '<a>&undefined;</a>',
    '<a>& </a>',
    '<a>&#x110000;</a>',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '<a><![CDATA[x]]></a>',
    '<1/>',
    '<a',
    '<a>'.repeat(20) + '</a>'.repeat(20),
  ])('refuses %j', (document) => {
    expect(() => parseXml(document)).toThrow(S3Error);
  });

  it('takes linear time over hostile text', () => {
    const startedMs = performance.now();
    for (const piece of ['<a>', '&', '<', '&#x1', '</']) {
      expect(() => parseXml(piece.repeat(500_000))).toThrow(S3Error);
    }
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});
