import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeTexts } from '../../../test/builders/analyze-texts';

const recording = (name: string) => ({
  path: name,
  text: readFileSync(join(__dirname, '../../../test/recordings/profiler-table', name), 'utf8'),
});

test('totals are told as totals: no steps, no verdict', async () => {
  const { verdict, ranks, operatorTotals } = await analyzeTexts([recording('cuda.txt')]);
  expect(verdict).toEqual({ bottleneck: 'not-measurable', confidence: 'low' });
  expect(ranks).toEqual([]);
  expect(operatorTotals?.tables).toMatchObject([
    { device: 'CUDA', selfDeviceTotalNs: 8_303_000, rowsLeftOut: 0 },
  ]);
  expect(operatorTotals?.tables[0].rows).toHaveLength(30);
});

test('operators, kernels and ranges are told apart, longest on the device first', async () => {
  const { operatorTotals } = await analyzeTexts([recording('cuda.txt')]);
  const rows = operatorTotals?.tables[0].rows ?? [];
  expect(rows.filter((row) => row.kind === 'range').map((row) => row.name)).toEqual([
    'ProfilerStep*',
    'Optimizer.step#AdamW.step',
  ]);
  expect(rows.filter((row) => row.kind === 'kernel').every((row) => row.selfCpuNs === 0)).toBe(true);
  expect(rows.filter((row) => row.kind === 'operator').every((row) => row.name.startsWith('aten::'))).toBe(
    true,
  );
  const ns = rows.map((row) => row.selfDeviceNs ?? 0);
  expect(ns).toEqual([...ns].sort((a, b) => b - a));
});

test('on the host alone the host sorts, and the device is null', async () => {
  const { operatorTotals } = await analyzeTexts([recording('cpu.txt')]);
  const [table] = operatorTotals?.tables ?? [];
  expect(table).toMatchObject({ device: null, selfDeviceTotalNs: null });
  expect(table.rows[0]).toMatchObject({ name: 'aten::addmm', selfDeviceNs: null, selfCpuNs: 48_598_000 });
});
