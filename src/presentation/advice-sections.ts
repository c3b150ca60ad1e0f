import { formatFigure, formatRatio } from './quantity';
import { type PresentedAdvice } from './present-advice';
import { optionState } from './wording/options';
import { symptomState } from './wording/symptoms';

/** A table of the report in words: the same rows for terminal, Markdown and page. Names from traces are not escaped yet. */
export interface AdviceSection {
  title: string;
  about: string | null;
  rows: AdviceRow[];
}

export interface AdviceRow {
  label: string;
  value: string;
  text: string;
  /** Commands or code to copy, line by line. */
  lines: string[];
  /** True for what needs attention. */
  strong: boolean;
}

/** The advice as tables: utilisation, symptoms, options, and what to record next. */
export function adviceSections(advice: PresentedAdvice): AdviceSection[] {
  return [utilisation(advice), symptomSection(advice), optionSection(advice), recordings(advice)];
}

function utilisation({ utilisation: { figures, noteText } }: PresentedAdvice): AdviceSection {
  return {
    title: 'Utilisation from every side',
    about: noteText,
    rows: figures.map(({ label, value, unit, source, reason }) => ({
      label,
      value: value === null ? 'not measurable' : formatFigure({ value, unit }),
      text: value === null ? (reason ?? '') : source,
      lines: [],
      strong: false,
    })),
  };
}

/** Rows of the symptom table: what is seen, and what it points to. */
export function symptomSection({ symptoms: rows }: PresentedAdvice): AdviceSection {
  return {
    title: 'Symptoms',
    about: null,
    rows: rows.map((symptom) => {
      const { value, reason } = symptom.figure;
      const pointsTo = `points to ${symptom.pointsTo.join(', ')}: ${symptom.direction}`;
      return {
        label: symptom.title,
        value: symptomState(symptom),
        text:
          value === null
            ? (reason ?? '')
            : `${formatRatio(value)}, ${symptom.looksAt}${symptom.seen ? `; ${pointsTo}` : ''}`,
        lines: [],
        strong: symptom.seen === true,
      };
    }),
  };
}

/** Options that deserve a look: a mistake, a price paid for nothing, or the larger part of a step. */
const STRONG_NOTES: ReadonlySet<string> = new Set([
  'checkpointing-with-free-memory',
  'sharding-not-needed',
  'compile-without-effect',
  'precision-without-effect',
  'precision-32-bit',
  'precision-fp16-where-bf16-is',
  'scaler-with-bf16',
  'scaler-without-16-bit',
  'scaler-missing-for-fp16',
  'flash-attention-off',
  'tf32-off',
  'graphs-would-help',
]);

/** Options of the training, whether they are in use, and what that means here. */
export function optionSection({ options: rows }: PresentedAdvice): AdviceSection {
  return {
    title: 'Options in use',
    about: null,
    rows: rows.map((option) => ({
      label: option.title,
      value: optionState(option),
      text: option.here,
      lines: [],
      strong: STRONG_NOTES.has(option.note.id),
    })),
  };
}

/** The commands of the first step that is open; the others are named only, because their turn comes later. */
function recordings({ recordings: steps }: PresentedAdvice): AdviceSection {
  const next = steps.find((step) => step.state === 'incomplete');
  return {
    title: 'What to record next',
    about: next
      ? `Step ${next.step} of ${steps.length} comes first: ${next.title.toLowerCase()}.`
      : 'Everything is there.',
    rows: steps.map((step) => ({
      label: `${step.step}. ${step.title}`,
      value: step.state === 'not-needed' ? 'not needed' : step.state,
      text: step.missingLabels.length > 0 ? `missing: ${step.missingLabels.join(', ')}` : '',
      lines: step === next ? step.commands.flatMap(({ title, lines }) => [`# ${title}`, ...lines]) : [],
      strong: step === next,
    })),
  };
}
