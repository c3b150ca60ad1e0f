import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { summarizeHostProfiles } from '../../src/analysis/evidence/host-profile-summary';
import { ALL_FORMATS } from '../../src/analysis/formats';
import { speedscopeFormat } from '../../src/analysis/formats/speedscope';
import { presentReport } from '../../src/presentation';
import { analyzeRun } from '../../src/analysis';
import { readRecord } from '../builders/read-record';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 1e6, maxEventBytes: 2 ** 24, maxStringBytes: 2 ** 26 };

async function analyze(...paths: string[]) {
  const artifacts = paths.map((path) => ({
    path,
    open: async function* () {
      const bytes = readFileSync(join(CORPUS, path));
      yield path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    },
  }));
  return presentReport(await analyzeRun(artifacts, { limits: LIMITS }));
}

withCorpus(() => {
  const samples = readdirSync(join(CORPUS, 'public/speedscope/speedscope-samples')).map((name) => [name]);

  test.each(samples)('%s is read as a profile, and by no other format', async (name) => {
    const file = readFileSync(join(CORPUS, 'public/speedscope/speedscope-samples', name));
    expect(ALL_FORMATS.filter((format) => format.sniff(file)).map((format) => format.id)).toEqual([
      'speedscope',
    ]);
    const { content, problems } = await readRecord(speedscopeFormat, file);
    const profile = content.kind === 'host-profile' ? content.profile : null;
    const total = profile?.threads.reduce((sum, t) => sum + t.weight, 0) ?? 0;
    const expected = {
      'incomplete-trace.json': 100,
      'out-of-order-events.json': 4,
      'two-sampled.speedscope.json': 28e9,
    };
    const isTime = profile?.unit === 'ns';
    expect(total).toBeCloseTo((expected as Record<string, number>)[name] ?? (isTime ? 14e9 : 14));
    // In one file a frame closes before the one that it called; in another one never closes.
    expect(problems['malformed-event'] ?? 0).toBe(name === 'out-of-order-events.json' ? 1 : 0);
  });

  test('a recording by py-spy names the tokeniser of the loop', async () => {
    const file = readFileSync(join(CORPUS, 'public/speedscope/pyspy-cs336/profile.speedscope.json'));
    const { content, problems } = await readRecord(speedscopeFormat, file);
    expect(problems).toEqual({});
    const summary = content.kind === 'host-profile' ? summarizeHostProfiles([content.profile]) : null;
    expect(summary?.threads.map((t) => [t.name, t.role, t.sampleCount])).toEqual([
      ['MainThread', 'main', 3807],
      ['Thread-2 (_handle_tasks)', 'other', 3186],
      ['Thread-3 (_handle_results)', 'other', 3186],
      ['Thread-1 (_handle_workers)', 'other', 2],
    ]);
    // 3186 of the 3807 samples of the loop wait in join() for a pool of processes.
    expect(summary?.functions[0]).toMatchObject({
      name: 'join',
      selfShare: expect.closeTo(3186 / 3807, 3) as number,
    });
    expect(summary?.activities.filter((a) => a.role === 'main').map((a) => a.activity)).toEqual([
      'inter-process',
      'tokenisation',
    ]);
  });

  test('beside a trace it gives the finding about the host its functions', async () => {
    const report = await analyze(
      'h200/cpu_tokenize/rank0.pt.trace.json.gz',
      'public/speedscope/pyspy-cs336/profile.speedscope.json',
    );
    const [finding] = report.findings;
    expect(finding.rule).toBe('host-cpu-bound');
    expect(finding.evidence.host).toMatchObject({ source: 'speedscope', role: 'main', sampleCount: 3807 });
    expect(finding.explanation).toMatch(/training loop \(speedscope profile, 3807 samples\): .*tokenisation/);
  });

  test('Python frames of a trace make a profile of the time with an empty device', async () => {
    const { hostProfile } = await analyze('h200/python_stacks/rank0.pt.trace.json.gz');
    expect(hostProfile).toMatchObject({ source: 'trace', unit: 'ns', rank: 0 });
    expect(hostProfile?.functions.some((f) => /run_backward/.test(f.name))).toBe(true);
    expect(hostProfile?.functions.some((f) => /0x[0-9a-f]{6}/.test(f.name))).toBe(false);
  });
});
