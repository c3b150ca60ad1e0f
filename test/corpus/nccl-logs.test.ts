import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textLogFormats } from '../../src/analysis/formats/text-log';
import { ncclLogs } from '../../src/analysis/formats/nccl-log';
import { slowTransportOf } from '../../src/analysis/formats/nccl-log/slow-transport';
import { sniffFormat } from '../../src/analysis/formats/sniff';
import { readRecord } from '../builders/read-record';
import { CORPUS, withCorpus } from './corpus-folder';

const [ncclLogFormat] = textLogFormats([ncclLogs]);

async function read(path: string) {
  const { content, problems } = await readRecord(ncclLogFormat, readFileSync(path));
  if (content.kind !== 'nccl-log') throw new Error(content.kind);
  return { log: content.log, problems };
}

withCorpus(() => {
  const recordings = join(CORPUS, 'h200');
  const runs = readdirSync(recordings).filter((run) => /^(ddp|fsdp)_/.test(run));
  const logsOf = (run: string) =>
    readdirSync(join(recordings, run))
      .filter((name) => /^nccl\.\d+\.log$/.test(name))
      .sort()
      .map((name) => join(recordings, run, name));

  test.each(runs)('%s: every call and every connection in the text is in the record', async (run) => {
    const paths = logsOf(run);
    expect(paths).toHaveLength(2);
    const logs = [];
    for (const [rank, path] of paths.entries()) {
      const text = readFileSync(path, 'utf8');
      expect(sniffFormat(Buffer.from(text))?.id).toBe('nccl-log');
      const { log, problems } = await read(path);
      expect(problems).toEqual({});
      expect(log).toMatchObject({ version: '2.28.9', rank, hosts: ['vm'], networks: ['Socket'] });
      const calls = log.collectives.reduce((sum, use) => sum + use.calls, 0);
      expect(calls).toBe(text.match(/ Bytes -> Algo /g)?.length ?? 0);
      const channels = log.connections.reduce((sum, c) => sum + c.channels, 0);
      expect(channels).toBe(text.match(/\] via /g)?.length);
      logs.push(log);
    }
    const slow = slowTransportOf(logs);
    if (run === 'ddp_slow_link') expect(slow).toMatchObject({ used: 'socket', withinHost: true });
    else expect(slow).toBeNull();
  });

  test('a public log of two devices, mixed with the output of the program: RoCE found, peer-to-peer used', async () => {
    const path = join(CORPUS, 'public/nccl-log/timez-normal/nccl.log');
    expect(sniffFormat(readFileSync(path).subarray(0, 65_536))?.id).toBe('nccl-log');
    const { log, problems } = await read(path);
    expect(problems).toEqual({});
    expect(log).toMatchObject({ version: '2.27.7', rank: null, hosts: ['mew0'], networks: ['IB'] });
    expect(log.adapters.map((a) => `${a.device} ${a.link}`)).toEqual(['mlx5_0 RoCE', 'mlx5_1 RoCE']);
    expect(log.connections.map(({ path, channels }) => [path, channels])).toEqual([
      ['P2P/direct pointer/read', 24],
      ['P2P/direct pointer/read', 24],
    ]);
    expect(log.ranks.map(({ rank, busId }) => [rank, busId])).toEqual([
      [0, '17000'],
      [1, '65000'],
    ]);
    expect(log.rings).toHaveLength(24);
    expect(log.treePlaces).toHaveLength(48);
    expect(slowTransportOf([log])).toBeNull();
  });
});
