import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyzeRun } from '../../src/analysis';
import { readText, takersOf } from '../builders/read-format';
import { CORPUS, withCorpus } from './corpus-folder';

const open = (path: string) => readFileSync(join(CORPUS, path));

async function launchesOf(path: string) {
  const { format, content, problems } = await readText(open(path), path);
  if (content.kind !== 'kernel-measurements') throw new Error(content.kind);
  return { format, launches: content.measurements.launches, problems: problems.list() };
}

withCorpus(() => {
  test('a public details page with rules: plain numbers with groups, a rate of bytes', async () => {
    const path = 'public/ncu-csv/nsightful-copy-blocked/copy_blocked.csv';
    const { format, launches, problems } = await launchesOf(path);
    expect({ format, problems }).toEqual({ format: 'ncu-csv', problems: [] });
    expect(launches).toHaveLength(1);
    expect(launches[0].durationNs).toBe(21_058_944);
    expect(launches[0].memoryRatio).toBeCloseTo(0.6184, 9);
    expect(launches[0].occupancyRatio).toBeCloseTo(0.9626, 9);
    expect(launches[0].memoryBytes).toBeCloseTo(196_456_177_859.63 * 21_058_944e-9, 0);
  });

  test('a public log in which the program printed before the table: numbers without groups', async () => {
    const { format, launches, problems } = await launchesOf(
      'public/ncu-csv/superbench-cublaslt/cublaslt_ncu.log',
    );
    expect({ format, problems }).toEqual({ format: 'ncu-csv', problems: [] });
    expect(launches).toMatchObject([{ durationNs: 406_240, memoryBytes: NaN, gridSize: '(9, 32, 1)' }]);
  });

  test('the public report for people is refused with the command that exports the table', async () => {
    const text = open('public/ncu-text/lectures-triton-profile/triton_profile');
    expect(takersOf(text)).toEqual(['ncu-csv']);
    await expect(readText(text)).rejects.toThrow('ncu --import FILE.ncu-rep --csv --page raw');
  });

  test('counters of one machine beside the trace of another training: kernels found by name, shapes not mixed up', async () => {
    const input = (path: string, bytes: Uint8Array) => ({
      path,
      open: async function* () {
        yield bytes;
      },
    });
    const { measuredKernels } = await analyzeRun(
      [
        input('rank0.json', gunzipSync(open('h200/fsdp_full/rank0.pt.trace.json.gz'))),
        input('raw.csv', open('h200/ncu/raw.csv')),
      ],
      { limits: { maxEvents: 1_000_000, maxEventBytes: 1 << 20, maxStringBytes: 1 << 26 } },
    );
    const kernels = measuredKernels?.kernels ?? [];
    const found = kernels.filter((k) => k.inTrace !== null).map((k) => k.name);
    expect(found.some((name) => name.startsWith('nvjet'))).toBe(true);
    expect(found.some((name) => name.includes('FusedAdamMathFunctor'))).toBe(true);
    // The products of the two trainings differ by two percent of their flop: they are not the same work.
    expect(kernels.filter((k) => k.name.startsWith('nvjet')).map((k) => k.modelled)).toEqual([null, null]);
  });
});
