import { z } from 'zod';
import {
  type Advice,
  adviceSchema,
  type OptionReport,
  optionSchema,
  type RecordingStep,
  recordingStepSchema,
} from '../analysis';
import { OPTION_NOTE_WORDING, OPTION_WORDING } from './wording/options';
import { RECORDING_ITEM_LABELS, RECORDING_STEP_TITLES, RECORDING_WORDING } from './wording/recordings';
import { SYMPTOM_WORDING, UTILISATION_LABELS, UTILISATION_NOTES } from './wording/symptoms';

export const presentedOptionSchema = optionSchema.extend({
  title: z.string(),
  saves: z.string(),
  costs: z.string(),
  /** What the state means in this run. */
  here: z.string(),
});

export const presentedRecordingSchema = recordingStepSchema.extend({
  title: z.string(),
  haveLabels: z.array(z.string()),
  missingLabels: z.array(z.string()),
  commands: z.array(
    recordingStepSchema.shape.commands.element.extend({ title: z.string(), lines: z.array(z.string()) }),
  ),
});

const symptomSchema = adviceSchema.shape.symptoms.element;
const panelSchema = adviceSchema.shape.utilisation;

/** Advice as clients get it: the records and their words. */
export const presentedAdviceSchema = adviceSchema.extend({
  utilisation: panelSchema.extend({
    figures: z.array(panelSchema.shape.figures.element.extend({ label: z.string() })),
    noteText: z.string().nullable(),
  }),
  symptoms: z.array(symptomSchema.extend({ title: z.string(), looksAt: z.string(), direction: z.string() })),
  options: z.array(presentedOptionSchema),
  recordings: z.array(presentedRecordingSchema),
});
export type PresentedAdvice = z.infer<typeof presentedAdviceSchema>;

/** Puts advice into words; the same for API, CLI, Markdown and web. */
export function presentAdvice(advice: Advice): PresentedAdvice {
  const { utilisation, symptoms, options, recordings } = advice;
  const labels: Readonly<Record<string, string>> = UTILISATION_LABELS;
  return {
    ...advice,
    utilisation: {
      ...utilisation,
      figures: utilisation.figures.map((figure) => ({ ...figure, label: labels[figure.id] ?? figure.id })),
      noteText: utilisation.note === null ? null : UTILISATION_NOTES[utilisation.note],
    },
    symptoms: symptoms.map((symptom) => ({ ...symptom, ...SYMPTOM_WORDING[symptom.symptom] })),
    options: options.map(presentOption),
    recordings: recordings.map(presentRecording),
  };
}

function presentOption(option: OptionReport): z.infer<typeof presentedOptionSchema> {
  return { ...option, ...OPTION_WORDING[option.option], here: OPTION_NOTE_WORDING[option.note.id](option) };
}

function presentRecording(step: RecordingStep): z.infer<typeof presentedRecordingSchema> {
  return {
    ...step,
    title: RECORDING_STEP_TITLES[step.id],
    haveLabels: step.have.map((id) => RECORDING_ITEM_LABELS[id]),
    missingLabels: step.missing.map((id) => RECORDING_ITEM_LABELS[id]),
    commands: step.commands.map((command) => {
      const wording = RECORDING_WORDING[command.id];
      return { ...command, title: wording.title, lines: wording.lines(command.values) };
    }),
  };
}
