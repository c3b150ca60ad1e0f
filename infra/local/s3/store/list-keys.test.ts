import fc from 'fast-check';
import { type ListEntry, listKeys } from './list-keys';
import { compareKeys } from './stored-object';

const keyArbitrary = fc.string({
  unit: fc.constantFrom('a', 'b', '/', '0', 'é', '\uffee', '😀'),
  minLength: 1,
  maxLength: 6,
});

/** All pages put together. */
function listAll(keys: readonly string[], prefix: string, delimiter: string, maxKeys: number): ListEntry[] {
  const all: ListEntry[] = [];
  for (let from = { after: '', afterIsPrefix: false }; ;) {
    const { entries, truncated } = listKeys(keys, { prefix, delimiter, maxKeys, ...from });
    expect(entries.length).toBeLessThanOrEqual(maxKeys);
    all.push(...entries);
    if (!truncated) return all;
    const last = entries[entries.length - 1];
    from = { after: last.name, afterIsPrefix: last.isPrefix };
  }
}

describe('compareKeys', () => {
  it('orders as UTF-8 bytes do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('listKeys', () => {
  it('gives the same whatever the size of a page', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(keyArbitrary, { maxLength: 30 }),
        fc.constantFrom('', 'a', 'a/', 'b', '/'),
        fc.constantFrom('', '/', 'a'),
        fc.integer({ min: 1, max: 5 }),
        (unsorted, prefix, delimiter, maxKeys) => {
          const keys = [...unsorted].sort(compareKeys);
          const expected = new Set<string>();
          for (const key of keys.filter((name) => name.startsWith(prefix))) {
            const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
            expected.add(cut === -1 ? key : key.slice(0, cut + delimiter.length));
          }
          const names = listAll(keys, prefix, delimiter, maxKeys).map(({ name }) => name);
          expect(names.sort()).toEqual([...expected].sort());
        },
      ),
    );
  });
});
