import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readRecord } from '../../../../test/builders/read-record';
import { textLogFormats } from '../text-log';
import { ncclLogs } from '.';
import { type NcclLog } from './nccl-log-record';

const [ncclLogFormat] = textLogFormats([ncclLogs]);

const linesOf = (rank: number) =>
  readFileSync(join(__dirname, `../../../../test/recordings/nccl-log/sockets.rank${rank}.txt`), 'utf8')
    .trimEnd()
    .split('\n');

async function read(text: string): Promise<{ log: NcclLog; problems: Record<string, number> }> {
  const { content, problems } = await readRecord(ncclLogFormat, text);
  if (content.kind !== 'nccl-log') throw new Error(content.kind);
  return { log: content.log, problems };
}

const connectionsOf = (log: NcclLog) => log.connections.map((c) => `${c.from}>${c.to} ${c.path}`);

/** One rank's line written into the middle of another's, as happens when processes share a pipe. */
const torn = fc.record({
  at: fc.nat(74),
  into: fc.nat(131),
  column: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('a torn line loses at most what it says, and nothing is made up', async () => {
  const [first, second] = [linesOf(0), linesOf(1)];
  const whole = await read([...first, ...second].join('\n'));
  expect(whole.log).toMatchObject({ rank: null, hosts: ['vm'] });
  expect(connectionsOf(whole.log)).toEqual(['1>0 NET/Socket/0', '0>1 NET/Socket/0']);
  await fc.assert(
    fc.asyncProperty(fc.array(torn, { minLength: 1, maxLength: 12 }), async (tears) => {
      const lines = [...first];
      for (const { at, into, column } of tears) {
        const line = lines[into % lines.length];
        const cut = Math.round(column * line.length);
        lines[into % lines.length] = `${line.slice(0, cut)}${second[at]}${line.slice(cut)}`;
      }
      const { log } = await read(lines.join('\n'));
      for (const connection of connectionsOf(log)) expect(connectionsOf(whole.log)).toContain(connection);
      expect(log.hosts).toEqual(['vm']);
      for (const name of Object.keys(log.environment)) expect(name).toBe('NCCL_P2P_DISABLE');
      for (const { ranks } of log.rings) expect(ranks.every((rank) => rank === 0 || rank === 1)).toBe(true);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('bytes changed at random neither stop the reader nor grow its record', async () => {
  const bytes = new TextEncoder().encode(linesOf(0).join('\n'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 60 }),
      async (changes) => {
        const damaged = bytes.slice();
        for (const [at, value] of changes) damaged[at] = value;
        const { content } = await readRecord(ncclLogFormat, damaged);
        expect(JSON.stringify(content).length).toBeLessThan(3 * bytes.length);
      },
    ),
    { numRuns: 200, seed: 11 },
  );
});
