import { analyzeTexts } from '../../../test/builders/analyze-texts';
import { presentReport, renderMarkdown, renderTerminal, reportSchema } from '../../presentation';

const GIB = 2 ** 30;
const stats = (allocatedGib: number, retries = 0) =>
  JSON.stringify({
    'allocated_bytes.all.peak': allocatedGib * GIB,
    'allocated_bytes.all.current': 1 * GIB,
    'reserved_bytes.all.peak': 20 * GIB,
    'reserved_bytes.all.current': 20 * GIB,
    num_alloc_retries: retries,
    num_ooms: 0,
  });
const OOM =
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.50 GiB is free. Including non-PyTorch memory, this process has 77.60 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 6.50 GiB is reserved by PyTorch but unallocated.';
const NCCL = [
  'node:10:20 [0] NCCL INFO NCCL version 2.21.5+cuda12.4',
  'node:10:20 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1',
  'node:10:20 [0] NCCL INFO NCCL_SHM_DISABLE set by environment to 1.',
  'node:10:20 [0] NCCL INFO Using network Socket',
  'node:10:20 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc - Init START',
  'node:11:21 [1] NCCL INFO ncclCommInitRank comm 0x2 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 2000 commId 0xabc - Init START',
  'node:10:20 [0] NCCL INFO Channel 00/0 : 1[1] -> 0[0] [receive] via NET/Socket/0',
  'node:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0',
].join('\n');
const MONITOR = [
  'timestamp, index, name, utilization.gpu [%], power.draw [W], enforced.power.limit [W], memory.used [MiB]',
  ...[0, 90, 100, 80, 0].map(
    (util, i) => `2026/11/29 23:01:0${i}.000, 0, NVIDIA H100, ${util} %, ${util * 5} W, 700 W, 1000 MiB`,
  ),
  '2026/11/29 23:01:06.000, 1, NVIDIA H100, 0 %, 70 W, 700 W, 1 MiB',
].join('\n');

const file = (path: string, text: string) => ({ path, text });

test('the allocator statistics go before the printed table and the metadata, and contradictions are told', async () => {
  const report = await analyzeTexts([
    file(
      'meta.rank0.json',
      JSON.stringify({
        rank: 0,
        world_size: 2,
        peak_mem: 5 * GIB,
        gpu: 'NVIDIA H200',
        params: 1e9,
        batch_size: 1,
        seq_len: 128,
        dtype: 'bf16',
      }),
    ),
    file('memory_stats.rank0.json', stats(10, 3)),
    file('query.csv', MONITOR),
  ]);
  expect(report.memory?.devices).toEqual([
    expect.objectContaining({
      ...{ rank: 0, source: 'memory-stats', allocatedPeakBytes: 10 * GIB, reservedPeakBytes: 20 * GIB },
      ...{ fragmentationRatio: 0.5, retryCount: 3, oomCount: 0, capacityBytes: null, headroomBytes: null },
    }),
  ]);
  expect(report.disagreements).toEqual([
    expect.objectContaining({
      ...{ subject: 'peak-memory', believed: { source: 'memory-stats', value: 10 * GIB } },
      others: [{ source: 'metadata', value: 5 * GIB }],
    }),
    expect.objectContaining({ subject: 'gpu', others: [expect.objectContaining({ value: 'h200' })] }),
  ]);
});

test('a monitor counts from the first to the last work, and only devices that had some', async () => {
  const { monitors, advice } = await analyzeTexts([file('query.csv', MONITOR)]);
  expect(monitors).toMatchObject({
    idleDeviceCount: 1,
    devices: [{ id: '0', sampleCount: 3, samplesLeftOut: 2 }],
  });
  expect(monitors?.devices[0].smUtilisation?.mean).toBeCloseTo(0.9, 9);
  const power = advice?.utilisation.figures.find(({ id }) => id === 'power');
  expect(power).toMatchObject({ source: 'measured' });
  expect(power?.value).toBeCloseTo(450 / 700, 9);
});

test('a log of NCCL alone says which way the bytes go and why', async () => {
  const { network } = await analyzeTexts([file('nccl.log', NCCL)]);
  expect(network).toMatchObject({
    ...{
      library: 'NCCL',
      rankCount: 2,
      networks: ['Socket'],
      transports: [{ kind: 'socket', connections: 2 }],
    },
    slowTransport: { used: 'socket', withinHost: true },
  });
  expect(network?.slowTransport?.reasons.map(({ path, evidence }) => [path, evidence])).toEqual(
    expect.arrayContaining([
      ['p2p', 'NCCL_P2P_DISABLE=1'],
      ['shm', 'NCCL_SHM_DISABLE=1'],
    ]),
  );
});

test('the message of a failed job is a finding of its own, without a time', async () => {
  const report = await analyzeTexts([file('stderr.txt', OOM)]);
  expect(report.verdict).toEqual({ bottleneck: 'memory-pressure', confidence: 'high' });
  const [finding] = report.findings;
  expect(finding).toMatchObject({
    rule: 'out-of-memory',
    severity: 'critical',
    costNs: 0,
    expectedStepNs: 0,
  });
  expect(finding.causes).toEqual([
    { id: 'failed-allocation', values: expect.objectContaining({ why: 'fragmentation' }) as unknown },
  ]);
  expect(finding.fixes[0].id).toBe('expandable-segments');
});

test('the output of a job is one file: step times, NCCL and the failure at its end are all read', async () => {
  const steps = Array.from({ length: 12 }, (_, i) => `iter ${i}: loss 3.2${i}, time 120.5ms, mfu 30.1%`);
  const { artifacts, network, memory, stepDistributions, problems } = await analyzeTexts([
    file('slurm-17.out', [NCCL, ...steps, OOM].join('\n')),
  ]);
  expect(artifacts).toEqual([{ path: 'slurm-17.out', format: expect.any(String) as string, rank: null }]);
  expect(stepDistributions).toEqual([expect.objectContaining({ source: 'nanogpt', medianNs: 120_500_000 })]);
  expect(network?.slowTransport?.used).toBe('socket');
  expect(memory?.failures).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('what stands beside counts for what is still to be recorded', async () => {
  const steps = Array.from({ length: 12 }, (_, i) => `iter ${i}: loss 3.2${i}, time 120.5ms, mfu 30.1%`);
  const missingIn = async (lines: readonly string[]) => {
    const { advice } = await analyzeTexts([
      file('job.out', lines.join('\n')),
      file(
        'meta.rank0.json',
        JSON.stringify({ rank: 0, world_size: 2, params: 1e9, batch_size: 1, seq_len: 8 }),
      ),
    ]);
    return advice?.recordings.flatMap(({ missing }) => missing);
  };
  expect(await missingIn(steps)).toContain('nccl-log');
  expect(await missingIn([...steps, NCCL])).not.toContain('nccl-log');
});

test('all of it is in the words of terminal and Markdown, and in the schema', async () => {
  const report = presentReport(
    await analyzeTexts([
      file(
        'meta.rank0.json',
        JSON.stringify({
          rank: 0,
          world_size: 2,
          peak_mem: 5 * GIB,
          gpu: 'NVIDIA H200',
          params: 1e9,
          batch_size: 1,
          seq_len: 128,
          dtype: 'bf16',
        }),
      ),
      ...[file('nccl.log', NCCL), file('query.csv', MONITOR), file('stderr.txt', OOM)],
      file('memory_stats.rank0.json', stats(10)),
    ]),
  );
  expect(reportSchema.safeParse(report).error).toBeUndefined();
  expect(report.verdict.summary).toMatch(
    /^The device ran out of memory\. CUDA could not allocate 2\.15 GB \(2\.00 GiB\)\./,
  );
  const texts = [renderTerminal(report, { color: false }), renderMarkdown(report)];
  for (const text of texts) {
    expect(text).toContain('Where artifacts disagree');
    expect(text).toContain('GPU monitor');
    expect(text).toContain('fragmentation 50 %');
    expect(text.replace(/\s+/g, ' ')).toContain('in pieces too small for this one');
  }
});
