import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { analyzeRun, type Analysis, type ArtifactInput } from '../../src/analysis';
import { TEST_LIMITS } from '../builders/kineto-trace';

/**
 * A case is a folder `<format>/<case>/` with a README.md, the input files and expected.json. UPDATE_GOLDEN=1 writes
 * expected.json anew; read the difference before you commit it.
 */
const FORMATS = readdirSync(__dirname).filter((name) => statSync(join(__dirname, name)).isDirectory());
const CASES = FORMATS.flatMap((format) =>
  readdirSync(join(__dirname, format)).map((name) => join(__dirname, format, name)),
);

/** The part of an analysis that a reviewer can check by hand against the input. */
function essence({ verdict, ranks, findings, problems, communication }: Analysis) {
  return {
    verdict,
    ranks: ranks.map(({ rank, stepsFrom, steps }) => ({ rank, stepsFrom, steps })),
    findings: findings.map(({ rule, costNs, expectedStepNs, severity }) => ({
      rule,
      costNs,
      expectedStepNs,
      severity,
    })),
    problems: problems.map(({ kind, count }) => ({ kind, count })),
    communication: communication && {
      matchedBy: communication.matchedBy,
      stragglerRank: communication.stragglerRank,
    },
  };
}

function inputs(
  folder: string,
  rename: (name: string, i: number) => string,
  chunkBytes: number,
): ArtifactInput[] {
  const names = readdirSync(folder).filter((name) => name !== 'README.md' && name !== 'expected.json');
  return names.map((name, i) => ({
    path: rename(name, i),
    open: async function* () {
      const bytes = readFileSync(join(folder, name));
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  }));
}

describe.each(CASES.map((folder) => [basename(folder), folder]))('%s', (_, folder) => {
  const limits = TEST_LIMITS;
  const expectedFile = join(folder, 'expected.json');
  const expected = (): unknown => JSON.parse(readFileSync(expectedFile, 'utf8'));

  test('gives the expected report', async () => {
    const actual = essence(
      await analyzeRun(
        inputs(folder, (name) => name, 1 << 20),
        { limits },
      ),
    );
    if (process.env.UPDATE_GOLDEN) writeFileSync(expectedFile, `${JSON.stringify(actual, null, 1)}\n`);
    expect(actual).toEqual(expected());
    expect(readFileSync(expectedFile, 'utf8').split('\n').length).toBeLessThan(200);
  });

  test('gives it in chunks of 100 bytes, and under names that say nothing', async () => {
    const neutral = essence(
      await analyzeRun(
        inputs(folder, (_name, i) => `file${String.fromCharCode(97 + i)}`, 100),
        { limits },
      ),
    );
    // Without names, ranks may have to be counted, which is a problem of its own.
    const withoutNaming = (e: typeof neutral) => ({
      ...e,
      problems: e.problems.filter((p) => p.kind !== 'rank-unknown'),
    });
    expect(withoutNaming(neutral)).toEqual(withoutNaming(expected() as typeof neutral));
  });
});
