import fc from 'fast-check';
import { S3Error } from './s3-error';
import { childText, parseXml } from './xml-read';
import { xmlDocument } from './xml-write';
import { growthOverEightfold, LINEAR_GROWTH } from '../../../../test/builders/growth';

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

  it.each(['<a>', '&', '<', '&#x1', '</'])('takes linear time over much of %j', async (piece) => {
    const refuse = (count: number) => expect(() => parseXml(piece.repeat(count))).toThrow(S3Error);
    expect(await growthOverEightfold(refuse, 250_000)).toBeLessThan(LINEAR_GROWTH);
  });
});
