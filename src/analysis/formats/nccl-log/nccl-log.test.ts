import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { ALL_FORMATS } from '..';
import { textLogFormats } from '../text-log';
import { ncclLogs } from '.';
import { type NcclLog } from './nccl-log-record';
import { slowTransportOf } from './slow-transport';

const [ncclLogFormat] = textLogFormats([ncclLogs]);

const recording = (name: string) =>
  readFileSync(join(__dirname, '../../../../test/recordings/nccl-log', name), 'utf8');

async function read(text: string, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(ncclLogFormat, text, options);
  if (content.kind !== 'nccl-log') throw new Error(content.kind);
  return { log: content.log, problems };
}

const at = (host: string, pid: number, text: string) => `${host}:${pid}:${pid + 9} [0] NCCL INFO ${text}\n`;

describe('a recording of two ranks that were kept to sockets', () => {
  test('gives version, network, ring, tree, rank and what was in the way', async () => {
    const { log, problems } = await read(recording('sockets.rank0.txt'));
    expect(problems).toEqual({});
    expect(log).toMatchObject({
      library: 'NCCL',
      version: '2.28.9',
      builtFor: 'cuda13.0',
      rank: 0,
      hosts: ['vm'],
      networks: ['Socket'],
      environment: { NCCL_P2P_DISABLE: '1' },
      nvlinkBandwidthBytesPerSec: 370.8e9,
      ringPathTypes: ['LOC', 'PHB'],
      adapters: [{ device: 'eth0', port: null, link: 'Ethernet', address: '192.0.2.2' }],
      rings: [
        { channel: 0, ranks: [0, 1] },
        { channel: 1, ranks: [0, 1] },
      ],
      treePlaces: [
        { channel: 0, parent: null, rank: 0, children: [1] },
        { channel: 1, parent: 1, rank: 0, children: [] },
      ],
      warnings: [],
    });
    expect(log.ranks).toEqual([
      {
        ...{ rank: 0, rankCount: 2, host: 'vm', pid: 830, cudaDevice: 0, busId: '60' },
        ...{ communicator: '0x7552613314a95fa1', nodeCount: 2, localRankCount: 1, initialised: true },
      },
    ]);
    expect(log.connections).toEqual([
      { from: 1, to: 0, kind: 'socket', path: 'NET/Socket/0', gpuDirect: false, channels: 2 },
      { from: 0, to: 1, kind: 'socket', path: 'NET/Socket/0', gpuDirect: false, channels: 2 },
    ]);
    expect(log.obstacles.map((o) => o.kind)).toEqual([
      'network-plugin-missing',
      'ib-declined',
      'network-start-failed',
      'gpu-direct-off',
    ]);
    expect(log.collectives.find((c) => c.collective === 'AllGather')).toEqual({
      ...{ collective: 'AllGather', algorithm: 'RING', protocol: 'LL', calls: 1, sizeBytes: 8 },
    });
  });

  test('names the environment as the cause, with the variables that the job wrote down', async () => {
    const logs = await both();
    const environment = { NCCL_P2P_DISABLE: '1', NCCL_SHM_DISABLE: '1', NCCL_IB_DISABLE: '1' };
    expect(slowTransportOf(logs, environment)).toEqual({
      used: 'socket',
      // Both ranks tell of both directions.
      slowConnections: 2,
      allConnections: 2,
      withinHost: true,
      unusedNvlinkBytesPerSec: 370.8e9,
      reasons: (['p2p', 'shm', 'ib'] as const).map((path) => ({
        path,
        code: 'disabled-by-environment',
        evidence: `NCCL_${path.toUpperCase()}_DISABLE=1`,
        inferred: false,
      })),
    });
  });

  test('says what is inferred when only the logs are there', async () => {
    const reasons = slowTransportOf(await both())?.reasons;
    expect(reasons?.map(({ path, code, inferred }) => [path, code, inferred])).toEqual([
      ['p2p', 'disabled-by-environment', false],
      ['shm', 'not-usable', true],
      ['ib', 'plugin-declined', true],
    ]);
  });

  test('reads the same in pieces of 7 bytes', async () => {
    const text = recording('sockets.rank1.txt');
    expect(await read(text, { chunkBytes: 7 })).toEqual(await read(text));
  });

  async function both(): Promise<NcclLog[]> {
    const texts = ['sockets.rank0.txt', 'sockets.rank1.txt'].map(recording);
    return (await Promise.all(texts.map((text) => read(text)))).map(({ log }) => log);
  }
});

describe('wordings over the versions', () => {
  test.each([
    ['Ring 00 : 34 -> 33 [send] via NET/Socket/0', 'socket', 'NET/Socket/0', false],
    ['Ring 01 : 0[3] -> 1[4] via P2P/IPC', 'p2p', 'P2P/IPC', false],
    ['Ring 01 : 0[0] -> 1[1] via direct shared memory', 'shm', 'direct shared memory', false],
    ['Channel 00 : 0[1e0] -> 1[1e0] [receive] via NET/IB/0/GDRDMA', 'ib', 'NET/IB/0/GDRDMA', true],
    [
      'Channel 03/0 : 5[5] -> 12[4] [send] via NET/IB/3(4)/GDRDMA/Shared',
      'ib',
      'NET/IB/3(4)/GDRDMA/Shared',
      true,
    ],
    ['Ring 00 : 1[160] -> 0[160] [receive] via NET/AWS Libfabric/0', 'plugin', 'NET/AWS Libfabric/0', false],
    ['Channel 07 : 0[6000] -> 1[7000] via P2P/direct pointer/read', 'p2p', 'P2P/direct pointer/read', false],
    ['Channel 00 : 1[81000] -> 0[41000] via SHM/direct/direct', 'shm', 'SHM/direct/direct', false],
    ['Channel 00/0 : 0[0] -> 1[1] via P2P/IPC comm 0x55d nRanks 08', 'p2p', 'P2P/IPC', false],
  ])('%s', async (line, kind, path, gpuDirect) => {
    const { log, problems } = await read(at('node7', 4, line));
    expect(log.connections).toMatchObject([{ kind, path, gpuDirect, channels: 1 }]);
    expect(problems).toEqual({});
  });

  test('adapters, RoCE or IB, and variables with the full stop of old versions', async () => {
    const lines = [
      'NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB [RO]; OOB eno1:192.0.2.3<0>',
      'NCCL_IB_DISABLE set by environment to 1.',
      'NCCL_SOCKET_IFNAME set by environment to en,eth',
    ];
    const { log } = await read(lines.map((line) => at('a', 1, line)).join(''));
    expect(log.adapters.map(({ device, link }) => `${device} ${link}`)).toEqual(['mlx5_0 RoCE', 'mlx5_1 IB']);
    expect(log.environment).toEqual({ NCCL_IB_DISABLE: '1', NCCL_SOCKET_IFNAME: 'en,eth' });
  });

  test('RCCL, its version and its longer trees', async () => {
    const { log } = await read(
      'RCCL version 2.18.6+hip6.2 HEAD:abc\n' +
        at(
          'g1',
          5,
          'Trees [0] 2/-1/-1->3->1 [1] -1/-1/-1->3->2|2->3->-1/-1/-1 comm 0xaa nRanks 08 busId ce000',
        ),
    );
    expect(log).toMatchObject({ library: 'RCCL', version: '2.18.6', builtFor: 'hip6.2' });
    expect(log.treePlaces).toEqual([
      { channel: 0, parent: 1, rank: 3, children: [2] },
      { channel: 1, parent: 2, rank: 3, children: [] },
    ]);
  });

  test('prefixes of launchers; warnings are counted with the place in the library', async () => {
    const warning =
      'n1:7:8 [3] misc/socket.cc:441 NCCL WARN socketProgress: Connection closed by remote peer';
    const prefixes = ['[155] ', '(Worker pid=7, ip=192.0.2.1) ', '3: ', '[2026-01-01 10:00:00] '];
    const { log } = await read(prefixes.map((prefix) => `${prefix}${warning}\n`).join(''));
    expect(log.warnings).toEqual([
      { text: 'socketProgress: Connection closed by remote peer', where: 'misc/socket.cc:441', count: 4 },
    ]);
    expect(log.hosts).toEqual(['n1']);
  });
});

describe('damaged logs', () => {
  test('a line that another process wrote into: both are read as far as they go, and it is counted', async () => {
    const line =
      'vm:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] vvm:2:2 [1] NCCL INFO Using network Socketia P2P/IPC';
    const { log, problems } = await read(`${line}\n${at('vm', 2, 'Using network Socket')}`);
    expect(log.connections).toEqual([]);
    expect(log.hosts).toEqual(['vm']);
    expect(problems).toEqual({ 'torn-line': 1 });
  });

  test('program output before a message sticks to no host', async () => {
    const { log } = await read(
      `  127.0  132.13      0mew0:6:6 [0] NCCL INFO Using network IB\n${at('mew0', 6, 'x').repeat(10)}`,
    );
    expect(log.hosts).toEqual(['mew0']);
  });

  test('bounds hold, and what was left out is counted', async () => {
    const names = Array.from({ length: 300 }, (_, i) => at('h', 1, `NCCL_VAR_${i} set by environment to 1`));
    const { log, problems } = await read(`${names.join('')}${at('h', 1, 'y'.repeat(100_000))}`);
    expect(Object.keys(log.environment)).toHaveLength(256);
    expect(problems).toEqual({ 'record-limit-reached': 44, 'oversized-event': 1 });
  });

  test('a cut source and invalid text are counted', async () => {
    const bytes = new TextEncoder().encode(at('h', 1, 'Using network IB'));
    const file = new Uint8Array([...bytes, 0xff, 0xfe, 0x0a]);
    const { content, problems } = await readRecord(ncclLogFormat, file, { cutSource: true });
    expect(content).toMatchObject({ log: { networks: ['IB'] } });
    expect(problems).toEqual({ 'truncated-file': 1, 'invalid-text': 1 });
  });

  test('a file without a message is refused in one line', async () => {
    await expect(read('nothing here\n')).rejects.toThrow(/^file holds no message of NCCL\..*$/);
  });
});

test('only logs of the library are taken', () => {
  const taken = (text: string) =>
    ALL_FORMATS.filter((format) => format.sniff(new TextEncoder().encode(text))).map(({ id }) => id);
  expect(taken(recording('sockets.rank1.txt'))).toEqual(['nccl-log']);
  expect(taken('set NCCL INFO as you like')).toEqual([]);
  expect(taken('{"note":"a:1:2 [0] NCCL INFO x","step":1,"host_s":2}')).not.toContain('nccl-log');
});

test('only variables of communication and devices are kept, and no password', async () => {
  const { log, problems } = await read(
    at('a', 1, 'HF_TOKEN set by environment to hf_abc') +
      at('a', 1, 'NCCL_DEBUG set by environment to INFO') +
      'a:1:9 [0] NCCL WARN Connect to http://me:hunter2@proxy failed\n',
  );
  expect(log.environment).toEqual({ NCCL_DEBUG: 'INFO' });
  expect(log.warnings.map(({ text }) => text)).toEqual(['Connect to http://***@proxy failed']);
  expect(problems).toEqual({});
});
