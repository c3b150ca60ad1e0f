import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord } from '../../../../test/builders/read-record';
import { ALL_FORMATS } from '..';
import { gpuTopologyFormat } from '.';

const recording = readFileSync(
  join(__dirname, '../../../../test/recordings/gpu-topology/two-h200.txt'),
  'utf8',
);

async function read(text: string) {
  const { content, problems } = await readRecord(gpuTopologyFormat, text);
  if (content.kind !== 'gpu-topology') throw new Error(content.kind);
  return { ...content.topology, problems };
}

test('a recording with terminal codes: two GPUs over 18 NVLinks', async () => {
  const gpu = { kind: 'gpu', systemName: null, cpuAffinity: '0-31', numaNode: '0' };
  expect(await read(recording)).toEqual({
    devices: [
      { name: 'GPU0', ...gpu },
      { name: 'GPU1', ...gpu },
    ],
    links: [
      ['X', 'NV18'],
      ['NV18', 'X'],
    ],
    problems: {},
  });
});

test('network cards: numbered with a legend, or by name in older versions', async () => {
  const { devices, links } = await read(
    [
      '        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID',
      'GPU0     X      SYS     PIX     0-55,112-167    0               N/A',
      'GPU1    SYS      X      SYS     56-111,168-223  1               N/A',
      'NIC0    PIX     SYS      X',
      '',
      'NIC Legend:',
      '  NIC0: mlx5_bond_0',
    ].join('\n'),
  );
  expect(devices[2]).toEqual({
    name: 'NIC0',
    kind: 'nic',
    systemName: 'mlx5_bond_0',
    cpuAffinity: null,
    numaNode: null,
  });
  expect(devices[1]).toMatchObject({ cpuAffinity: '56-111,168-223', numaNode: '1' });
  expect(links[2]).toEqual(['PIX', 'SYS', 'X']);

  const old = await read('\tGPU0\tmlx4_0\tCPU Affinity\nGPU0\t X \tPHB\t0-9,20-29\nmlx4_0\tPHB\t X \t\n');
  expect(old.devices.map(({ kind }) => kind)).toEqual(['gpu', 'nic']);
  expect(old.devices[0]).toMatchObject({ cpuAffinity: '0-9,20-29', numaNode: null });
});

test('rows that are missing or damaged are null and counted', async () => {
  const { links, problems } = await read('\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV1?\t0-9\n');
  expect(links).toEqual([
    ['X', null],
    [null, null],
  ]);
  expect(problems).toEqual({ 'malformed-event': 3 });
});

test('more devices than a machine has, and a header alone, are refused', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `GPU${i}`).join('\t');
  await expect(read(`\t${names}\tCPU Affinity\nGPU0\t X\n`)).rejects.toThrow('names 300 devices');
  await expect(read('\tGPU0\tGPU1\tCPU Affinity\n')).rejects.toThrow('holds no matrix');
});

test('no other format takes it, and it does not take the matrix of peer access', () => {
  const taken = (text: string) =>
    ALL_FORMATS.filter((format) => format.sniff(new TextEncoder().encode(text))).map(({ id }) => id);
  expect(taken(recording)).toEqual(['gpu-topology']);
  expect(taken(' \tGPU0\tGPU1\n GPU0\tX\tGNS\n GPU1\tGNS\tX\n')).toEqual([]);
});
