import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Analysis, analyzeRun } from '../../src/analysis';
import { openArtifactBytes } from '../../src/platform/decompression';
import { presentReport, type Report } from '../../src/presentation';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 5e6, maxEventBytes: 1 << 24, maxStringBytes: 1 << 28 };
const DECOMPRESSION = { maxBytes: 2 ** 32, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };

/** The report of all files of a run, or of some of them. */
async function reportOf(run: string, isWanted: (file: string) => boolean = () => true): Promise<Report> {
  const folder = join(CORPUS, 'h200', run);
  const artifacts = readdirSync(folder)
    .filter(isWanted)
    .sort()
    .map((path) => ({
      path,
      open: () => openArtifactBytes(createReadStream(join(folder, path)), DECOMPRESSION),
    }));
  return presentReport(await analyzeRun(artifacts, { limits: LIMITS }));
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
    expect(verdict.summary).toMatch(/The job limits itself to 18\.0 GB .* 133 GB of the device were free/);
    expect(findings[0].fixes[0].id).toBe('raise-own-cap');
    expect(memory?.failures).toHaveLength(1);
  });

  test('jitter: a spike every four steps, and what it costs', async () => {
    const { verdict, findings, stepDistributions } = await reportOf('jitter');
    expect(verdict.bottleneck).toBe('step-jitter');
    expect(stepDistributions?.[0].spikes).toMatchObject({ count: 8, periodSteps: 4 });
    expect(findings[0].explanation).toContain('one every 4 steps, 390 ms longer each');
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
