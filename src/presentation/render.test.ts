import { type Analysis } from '../analysis';
import { presentReport, renderMarkdown, renderTerminal } from './index';

const HOSTILE = 'evil\u001b[31m`|\n# heading <script>';

const analysis: Analysis = {
  schemaVersion: '1.0.0',
  analysisVersion: '0.0.0',
  verdict: { bottleneck: 'host-cpu', confidence: 'high' },
  artifacts: [],
  stepTime: { tracedMeanNs: 100_000_000, unprofiledMedianNs: null },
  calibratedStep: null,
  ranks: [],
  metrics: [
    { id: 'step-time', value: 100_000_000, unit: 'ns', source: 'measured' },
    { id: 'device-idle', value: 60_000_000, unit: 'ns', source: 'measured' },
    { id: 'compute-time', value: 40_000_000, unit: 'ns', source: 'measured' },
  ],
  findings: [
    {
      rule: 'host-cpu-bound',
      bottleneck: 'host-cpu',
      severity: 'critical',
      confidence: 'high',
      costNs: 60_000_000,
      expectedStepNs: 40_000_000,
      leastStepNs: 30_000_000,
      evidence: {
        figures: [{ id: 'host-other', value: 60_000_000, unit: 'ns', source: 'measured' }],
        operations: [{ name: HOSTILE, kind: 'python frame', count: 3, totalNs: 1_000, rank: 0 }],
        ranks: [0],
        steps: [1],
      },
      fixes: [{ id: 'move-host-work-off-the-loop', values: { hostWorkMsPerStep: 60 } }],
    },
  ],
  ruleOutcomes: [],
  kernelClasses: [],
  topKernels: [],
  communication: null,
  roofline: null,
  advice: null,
  problems: [],
};

test('the verdict is one sentence with the gain as a bound', () => {
  expect(presentReport(analysis).verdict.summary).toBe(
    'The device waits for user code on the host: 60.0 ms of the 100 ms step (60 %); without it the step would take about 40.0 ms, and never less than 30.0 ms.',
  );
});

test('fixes carry the values of the run', () => {
  expect(presentReport(analysis).findings[0].fixes[0].how).toContain('About 60 ms a step');
});

test('names from a trace cannot reach the terminal or the page as anything but text', () => {
  const report = presentReport(analysis);
  // eslint-disable-next-line no-control-regex
  expect(renderTerminal(report, { color: false })).not.toMatch(/\u001b/);
  const markdown = renderMarkdown(report);
  expect(markdown).not.toMatch(/^# heading/m);
  expect(markdown.split('\n').find((line) => line.includes('evil'))).toMatch(/^- `[^`]*` — python frame/);
});

test('a value that is missing reads so, and never as zero', () => {
  const missing = structuredClone(analysis);
  missing.findings[0].evidence.figures[0] = {
    id: 'host-other',
    value: null,
    unit: 'ns',
    source: 'notMeasurable',
    reason: 'x',
  };
  expect(presentReport(missing).findings[0].explanation).toContain('not measurable of each step');
});
