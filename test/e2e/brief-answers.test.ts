import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';

const ROWS = 100;
const ROW_BYTES = 8_000;
const ANSWERS = 60;
const mib = 2 ** 20;

let owned: TestDatabase;
let database: Database;

beforeAll(async () => {
  owned = await createTestDatabase();
  database = new Database({ url: owned.ownerUrl, poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await owned.drop();
});

/** Bytes of objects that outlived collections of young ones; what is dead among them is counted until all are collected. */
function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) =>
    /^(old|large_object)_space$/.test(name),
  );
  return spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}

function exposedCollector(): (options?: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options?: { type: 'minor' }) => void;
}

describe('rows of an answer', () => {
  it('are collected with young objects, once nobody needs them', async () => {
    const collect = exposedCollector();
    const ask = () =>
      database.forTeam('01980a5d-ac96-774b-bcce-b302099a8057', async ({ $queryRaw }) => {
        const rows = await $queryRaw<{ text: string }[]>`
          SELECT repeat('x', ${ROW_BYTES}::integer) AS text FROM generate_series(1, ${ROWS}::integer)`;
        return rows.reduce((sum, { text }) => sum + text.length, 0);
      });
    for (let i = 0; i < 5; i++) await ask();
    collect();
    const before = oldBytes();
    let bytes = 0;
    for (let i = 0; i < ANSWERS; i++) {
      bytes += await ask();
      collect({ type: 'minor' });
    }
    expect(bytes).toBe(ANSWERS * ROWS * ROW_BYTES);
    expect(oldBytes() - before).toBeLessThan(8 * mib);
  });
});
