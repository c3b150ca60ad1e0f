import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Analysis, analyzeRun } from '../../src/analysis';
import { openArtifactBytes } from '../../src/platform/decompression';
import { presentReport, type Report } from '../../src/presentation';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 5e6, maxEventBytes: 1 << 24, maxStringBytes: 1 << 28 };
const DECOMPRESSION = { maxBytes: 2 ** 32, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };

/** The report of all files of a run, and of texts beside them. */
async function reportOf(run: string, more: Record<string, string> = {}): Promise<Report> {
  const folder = join(CORPUS, 'h200', run);
  const artifacts = readdirSync(folder)
    .sort()
    .map((path) => ({
      path,
      open: () => openArtifactBytes(createReadStream(join(folder, path)), DECOMPRESSION),
    }));
  const texts = Object.entries(more).map(([path, text]) => ({
    path,
    open: () => openArtifactBytes(Readable.from([Buffer.from(text)]), DECOMPRESSION),
  }));
  return presentReport(await analyzeRun([...artifacts, ...texts], { limits: LIMITS }));
}

const problemKinds = ({ problems }: Analysis) => problems.map(({ kind }) => kind);

withCorpus(() => {
  test('ddp_slow_link: NCCL ran over sockets because the environment disabled what is faster', async () => {
    const { verdict, findings, network } = await reportOf('ddp_slow_link');
    expect(verdict.bottleneck).toBe('communication');
    expect(verdict.summary).toContain('NCCL talks over TCP sockets between GPUs of one machine');
    expect(findings[0].causes?.slice(1).map(({ text }) => text)).toEqual([
      'Peer-to-peer (NVLink or PCIe) is disabled by the environment: NCCL_P2P_DISABLE=1.',
      'Shared memory is disabled by the environment: NCCL_SHM_DISABLE=1.',
      'InfiniBand or RoCE is disabled by the environment: NCCL_IB_DISABLE=1.',
    ]);
    expect(network).toMatchObject({ library: 'NCCL', rankCount: 2, transports: [{ kind: 'socket' }] });
  });

  test('the same training over NVLink names no slow transport', async () => {
    const { network, findings } = await reportOf('ddp_slow_link__fixed');
    expect(network?.slowTransport).toBeNull();
    expect(network?.transports.map(({ kind }) => kind)).toEqual(['p2p']);
    expect(findings.flatMap(({ causes = [] }) => causes)).toEqual([]);
  });

  test('cuda_oom: the job limited itself, and the device had room', async () => {
    const { verdict, findings, memory } = await reportOf('cuda_oom');
    expect(verdict.bottleneck).toBe('memory-pressure');
    expect(verdict.summary).toMatch(
      /The job limits itself to 18\.0 GB \(16\.78 GiB\) .* 133 GB \(\d+\.\d+ GiB\) of the device were free/,
    );
    expect(findings[0].fixes[0].id).toBe('raise-own-cap');
    expect(memory?.failures).toHaveLength(1);
  });

  test('an allocation that failed in a run that went on does not hold it back, and is told', async () => {
    const message =
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.80 GiB of which 1.62 GiB is free. Including non-PyTorch memory, this process has 138.13 GiB memory in use.\n';
    const { verdict, findings } = await reportOf('healthy', { 'job.log': message });
    expect(verdict.bottleneck).toBe('none');
    expect(verdict.summary).toMatch(/^Nothing on the host.* Allocations of device memory that failed: 1\.$/);
    expect(findings).toEqual([expect.objectContaining({ rule: 'out-of-memory', severity: 'minor' })]);
    // What is neither free nor this process's is a rounding here, not somebody else.
    expect(findings[0].causes?.[0].values.why).toBe('device-full');
  });

  test('a clock that heat holds down is told where nothing else is the matter', async () => {
    const header =
      'index, name, utilization.gpu [%], clocks.sm [MHz], clocks.max.sm [MHz], clocks_throttle_reasons.active';
    const rows = Array.from({ length: 20 }, () => '0, NVIDIA H200, 100 %, 1100 MHz, 1980 MHz, 0x40');
    const { verdict } = await reportOf('healthy', { 'hot.csv': [header, ...rows].join('\n') });
    expect(verdict.summary).toContain('held down (by heat) in 100 % of its busy samples, at 1100 MHz');
  });

  test('jitter: a spike every four steps, and what it costs', async () => {
    const { verdict, findings, stepDistributions } = await reportOf('jitter');
    expect(verdict.bottleneck).toBe('step-jitter');
    expect(stepDistributions?.[0].spikes).toMatchObject({ count: 8, periodSteps: 4 });
    expect(findings[0].explanation).toContain('one every 4 steps, 363 ms longer each');
    expect(findings[0].fixes[0].how).toMatch(/^Every 4 steps/);
  });

  test('every artifact of a run is of a known format, and they do not contradict each other', async () => {
    const report = await reportOf('alloc_thrash');
    expect(problemKinds(report)).not.toContain('unrecognized-artifact');
    expect(report.disagreements).toEqual([]);
    expect(report.monitors?.devices.length).toBeGreaterThan(0);
    expect(report.memory?.devices).toHaveLength(1);
  });
});
