import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeRun } from '../../src/analysis';
import { openArtifactBytes } from '../../src/platform/decompression';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 5_000_000, maxEventBytes: 1 << 22, maxStringBytes: 1 << 26 };
const DECOMPRESSION = { maxBytes: 2 ** 31, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };
/** Two recordings of one training differ by about this much where the device is the limit. */
const NOISE = 0.02;

function analyze(run: string) {
  const folder = join(CORPUS, 'h200', run);
  const names = readdirSync(folder).filter((name) => /^(rank|step_times|meta)/.test(name));
  const artifacts = names.map((path) => ({
    path,
    open: () => openArtifactBytes(createReadStream(join(folder, path)), DECOMPRESSION),
  }));
  return analyzeRun(artifacts, { limits: LIMITS });
}

withCorpus(() => {
  const rows = readFileSync(join(CORPUS, 'pairs.tsv'), 'utf8').trim().split('\n').slice(1);
  const pairs = rows
    .map((row) => row.split('\t'))
    .map(([run, change, , , fixedMs]) => [run, change, Number(fixedMs)] as const);

  test.each(pairs)(
    '%s: the measured step after "%s" is not below the bound of the first finding',
    async (run, _, fixedMs) => {
      const [first] = (await analyze(run)).findings;
      if (!first) return;
      expect(first.leastStepNs).toBeLessThanOrEqual(fixedMs * 1e6 * (1 + NOISE));
      expect(first.leastStepNs).toBeLessThanOrEqual(first.expectedStepNs);
    },
  );
});
