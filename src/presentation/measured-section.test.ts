import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyzeTexts } from '../../test/builders/analyze-texts';
import { presentReport } from './present-report';
import { renderMarkdown } from './render-markdown';
import { renderTerminal } from './render-terminal';

const recording = (path: string) => {
  const bytes = readFileSync(join(__dirname, '../../test/recordings', path));
  return { path, text: (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString() };
};
const present = async (...paths: string[]) => presentReport(await analyzeTexts(paths.map(recording)));
/** As one line, since the terminal breaks lines where it must. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

test('counters alone: their points, and what to record for a verdict', async () => {
  const report = await present('nsight-compute/raw.csv');
  expect(report.verdict.summary).toMatch(
    /^Not measurable: counters of single kernels .* Record some steps with torch\.profiler/,
  );
  const terminal = flat(renderTerminal(report, { color: false }));
  expect(terminal).toContain('Measured kernels (Nsight Compute) NVIDIA H200, against dense data-sheet peaks');
  expect(terminal).toContain('703 Tflop/s, 871 GB/s, 71 % of its compute roof');
  expect(renderMarkdown(report)).toContain('<summary>Measured kernels (Nsight Compute)</summary>');
});

test('without peaks the shares that the profiler measured stand in', async () => {
  const terminal = flat(renderTerminal(await present('nsight-compute/details.csv'), { color: false }));
  expect(terminal).toContain('multiprocessors 80 % of their peak, memory 18 % of its peak');
});

test('a disagreement tells both sides, which is believed, and why', async () => {
  const report = await present('nsight-compute/training.pt.trace.json.gz', 'nsight-compute/training.raw.csv');
  const full = flat(renderTerminal(report, { color: false, full: true }));
  expect(full).toMatch(
    /0\.56 × 19\.8 MB measured, 35\.7 MB by the shapes: the measurement is believed: a part came from the cache/,
  );
  expect(full).toMatch(/12 times in the trace by aten::addmm/);
  // What a trace says goes first; counters are for who wants all of it.
  expect(renderTerminal(report, { color: false })).not.toContain('Measured kernels');
});

test('totals alone: who takes the time, and that nothing else can be told', async () => {
  const report = await present('profiler-table/cuda.txt');
  expect(report.verdict.summary).toMatch(/^Not measurable: the table of the profiler .* Record some steps/);
  const terminal = flat(renderTerminal(report, { color: false }));
  expect(terminal).toContain('neither idle time nor overlap nor single steps can be told from them');
  expect(terminal).toContain(
    'aten::mm 2.20 ms 26 % of the device, 32 calls, 1.33 ms of the host, 1.65 Tflop',
  );
  expect(terminal).not.toContain('ProfilerStep*');
  expect(renderMarkdown(report)).toContain('Totals of host and device (key_averages)');
});

test('totals beside a trace: the trace is believed', async () => {
  const report = await present('nsight-compute/training.pt.trace.json.gz', 'profiler-table/cuda.txt');
  expect(flat(renderTerminal(report, { color: false, full: true }))).toContain(
    'the trace says more, and is believed where they differ',
  );
});
