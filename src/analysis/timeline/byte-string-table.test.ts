import * as fc from 'fast-check';
import { ByteStringTable } from './byte-string-table';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const intern = (table: ByteStringTable, text: string) => table.intern(bytesOf(text), 0, bytesOf(text).length);

describe('ByteStringTable', () => {
  it('gives equal bytes one id and different bytes different ids', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9 é(),]{0,12}$/), { maxLength: 3000 }), (names) => {
        const table = new ByteStringTable(1 << 24);
        const ids = names.map((name) => intern(table, name));
        expect(ids.map((id) => table.get(id))).toEqual(names);
        expect(new Set(ids).size).toBe(new Set(names).size);
        expect(names.map((name) => intern(table, name))).toEqual(ids);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the empty string at 0 and knows no id beyond its size', () => {
    const table = new ByteStringTable(1 << 20);
    expect(intern(table, '')).toBe(0);
    expect(table.get(0)).toBe('');
    expect(table.get(99)).toBe('');
  });

  it('maps new names to one entry when the bytes are used up, and still finds the old ones', () => {
    const table = new ByteStringTable(2000);
    const first = intern(table, 'first');
    for (let i = 0; i < 500; i++) intern(table, `name ${i}`);
    expect(table.dropped).toBeGreaterThan(400);
    expect(table.size).toBeLessThan(100);
    expect(table.get(intern(table, 'another'))).toBe('(name dropped)');
    expect(intern(table, 'first')).toBe(first);
  });

  it('replaces control bytes and invalid UTF-8 when it decodes', () => {
    const table = new ByteStringTable(1 << 20);
    const bytes = Uint8Array.of(0x61, 0x00, 0x1b, 0x09, 0xff, 0x62);
    expect(table.get(table.intern(bytes, 0, bytes.length))).toBe('a\uFFFD\uFFFD\t\uFFFDb');
  });
});
