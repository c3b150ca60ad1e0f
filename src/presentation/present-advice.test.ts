import {
  type Advice,
  OPTION_IDS,
  OPTION_NOTES,
  type OptionReport,
  RECORDING_COMMANDS,
  SYMPTOM_IDS,
  UTILISATION_IDS,
} from '../analysis';
import { adviceSections } from './advice-sections';
import { presentAdvice, presentedAdviceSchema } from './present-advice';
import { OPTION_NOTE_WORDING } from './wording/options';
import { RECORDING_WORDING } from './wording/recordings';

const figure = (id: string, value: number | null) =>
  value === null
    ? ({ id, value, unit: 'ratio', source: 'notMeasurable', reason: 'needs more' } as const)
    : ({ id, value, unit: 'ratio', source: 'measured' } as const);

const option = (more: Partial<OptionReport> = {}): OptionReport => ({
  option: 'mixed-precision',
  state: 'on',
  form: 'bf16',
  evidence: [],
  costNs: 2_000_000,
  actsOnNs: null,
  note: { id: 'precision-16-bit', values: { share: 0.02 } },
  ...more,
});

const advice: Advice = {
  utilisation: {
    figures: UTILISATION_IDS.map((id, i) => figure(id, i % 2 ? null : 0.5)),
    note: 'busy-with-idle-sms',
  },
  symptoms: SYMPTOM_IDS.map((symptom, i) => ({
    symptom,
    seen: [true, false, null][i % 3],
    figure: figure('f', i % 3 === 2 ? null : 0.25),
    pointsTo: ['launch-overhead'],
  })),
  options: OPTION_IDS.map((id) => option({ option: id })),
  recordings: [
    { step: 1, id: 'baseline', state: 'complete', have: ['gpu'], missing: [], commands: [] },
    {
      ...{ step: 2, id: 'step-trace', state: 'incomplete', have: [], missing: ['counted-steps', 'shapes'] },
      commands: [{ id: 'record-trace', values: { activeSteps: 5 } }],
    },
    { step: 4, id: 'communication', state: 'not-needed', have: [], missing: [], commands: [] },
  ],
  estimate: null,
  estimateReason: 'needs the number of parameters in the metadata (params)',
};

test('advice in words keeps its records and follows its schema', () => {
  const presented = presentAdvice(advice);
  expect(presentedAdviceSchema.parse(presented)).toEqual(presented);
  expect(presented.options[8]).toMatchObject({
    here: 'Conversions take 2.00 ms of each step (2.0 %).',
    costNs: 2_000_000,
  });
  expect(presented.utilisation.noteText).toContain('one kernel is enough');
  expect(presented.recordings[1]).toMatchObject({
    title: 'Record one step trace',
    missingLabels: ['enough steps', 'shapes of the operators'],
    commands: [{ lines: expect.arrayContaining([expect.stringContaining('active=5')]) as string[] }],
  });
});

test.each(OPTION_NOTES)('note %s reads well with and without figures', (id) => {
  for (const bare of [
    option({ costNs: null, note: { id, values: {} } }),
    option({ actsOnNs: 5, note: { id, values: { share: 0.5 } } }),
  ]) {
    const words = OPTION_NOTE_WORDING[id](bare);
    expect(words).toMatch(/^[A-Z0-9].*[.]$|^unknown .*[.]$|^an unknown .*[.]$/);
    expect(words).not.toMatch(/undefined|NaN|null/);
  }
});

test.each(RECORDING_COMMANDS)('command %s can be copied', (id) => {
  const lines = RECORDING_WORDING[id].lines({});
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toMatch(/undefined|NaN|null/);
});

test('sections: the commands of the first open step, and of no other', () => {
  const [utilisation, symptoms, options, recordings] = adviceSections(presentAdvice(advice));
  expect(utilisation.rows[1]).toMatchObject({ value: 'not measurable', text: 'needs more' });
  expect(symptoms.rows.filter((r) => r.strong)).toHaveLength(3);
  expect(symptoms.rows[0].text).toMatch(/^25 %, .*; points to launch-overhead: /);
  expect(options.rows[0]).toMatchObject({ value: 'on (bf16)' });
  expect(recordings.about).toBe('Step 2 of 3 comes first: record one step trace.');
  expect(recordings.rows.map((r) => r.lines.length > 0)).toEqual([false, true, false]);
});
