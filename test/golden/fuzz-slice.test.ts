import { join } from 'node:path';
import { analyzeRun } from '../../src/analysis';
import { presentReport, renderMarkdown, renderTerminal, reportSchema } from '../../src/presentation';
import { checkCase } from '../fuzz/check-case';
import { collectSeedFiles, fuzzCase } from '../fuzz/fuzz-cases';

const files = collectSeedFiles([__dirname, join(__dirname, '../recordings')]);
const product = { analyzeRun, presentReport, reportSchema, renderTerminal, renderMarkdown };

/** `npm run fuzz` does the same for minutes and on more files; this slice takes seconds and changes only with the recordings. */
const SEEDS = Array.from({ length: 8 }, (_, i) => 10_000 + 20 * i);

test.each(SEEDS)(
  'damaged files give a report that fits its schema, or one refusal: seeds from %i',
  async (first) => {
    for (let seed = first; seed < first + 20; seed++) {
      const { artifacts, story } = fuzzCase(seed, files);
      const wrong = await checkCase({ artifacts, story }, product);
      expect({ seed, story, wrong }).toEqual({ seed, story, wrong: null });
    }
  },
);

test('a seed always gives the same case, and another seed another', () => {
  expect(fuzzCase(7, files)).toEqual(fuzzCase(7, files));
  expect(fuzzCase(7, files)).not.toEqual(fuzzCase(8, files));
});

test('what is wrong is told: a crash, a defect, a report that does not fit, a refusal of two lines', async () => {
  const harmless = fuzzCase(7, files);
  const crash = { ...product, analyzeRun: () => Promise.reject(new TypeError('x is undefined')) };
  expect(await checkCase(harmless, crash)).toMatch(/^TypeError: x is undefined/);
  const refusal = Object.assign(new Error('two\nlines'), { name: 'InputRefused' });
  expect(await checkCase(harmless, { ...product, analyzeRun: () => Promise.reject(refusal) })).toMatch(
    /control/,
  );
  const whole = { artifacts: [{ path: 'a', bytes: files[0].bytes }], story: '' };
  const analysis = await analyzeRun([{ path: 'a', open: async function* () { yield files[0].bytes; } }], {
    limits: { maxEvents: 1e6, maxEventBytes: 1e6, maxStringBytes: 1e6 },
  }); // prettier-ignore
  const defect = {
    ...analysis,
    problems: [{ ...analysis.problems[0], kind: 'advice-failed' as const, example: 'why' }],
  };
  expect(await checkCase(whole, { ...product, analyzeRun: () => Promise.resolve(defect) })).toBe(
    'advice-failed: why',
  );
  const unfit = { ...analysis, stepTime: { tracedMeanNs: NaN, unprofiledMedianNs: null } };
  expect(await checkCase(whole, { ...product, analyzeRun: () => Promise.resolve(unfit) })).toMatch(/schema/);
});
