import { readText } from '../../../../test/builders/read-format';
import { analyzeTexts } from '../../../../test/builders/analyze-texts';
import { presentReport, reportSchema } from '../../../presentation';

const text = '{"world_size": 1, "batch_size": 1e999, "loader": {"num_workers": 1e999, "sizes": [-1e999, 2]}}';

test('numbers that no double holds are absent, wherever they stand', async () => {
  const { content } = await readText(text, 'meta.rank0.json');
  expect(content).toMatchObject({
    metadata: { batchSize: null, raw: { loader: { num_workers: null, sizes: [null, 2] } } },
  });
});

test('a report of such a file fits its schema', async () => {
  const report = presentReport(await analyzeTexts([{ path: 'meta.rank0.json', text }]));
  expect(reportSchema.safeParse(report).error).toBeUndefined();
});
