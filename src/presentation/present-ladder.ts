import { z } from 'zod';
import {
  figureSchema,
  type Ladder,
  NOT_COMPARABLE,
  type Rung,
  RUNG_VERDICTS,
  STEP_CLOCKS,
} from '../analysis';
import { presentFinding, presentedFindingSchema } from './present-report';
import { NOT_COMPARABLE_WORDING, RUNG_VERDICT_WORDING, STEP_CLOCK_WORDING } from './wording/ladders';
import { UTILISATION_LABELS } from './wording/symptoms';

const changeSchema = z.object({
  name: z.string().meta({ example: 'dtype' }),
  kind: z.enum(['workload', 'hardware', 'software', 'loader', 'environment', 'other']),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const presentedRungSchema = z.object({
  label: z.string().describe('What was changed, in the words of whoever did it.'),
  step: z
    .object({
      ns: z.number(),
      clock: z.enum(STEP_CLOCKS),
      clockText: z.string().meta({ example: 'mean without the profiler' }),
    })
    .nullable()
    .describe('The best that is known of its step time; null when nothing is.'),
  utilisation: z
    .array(figureSchema.extend({ label: z.string() }))
    .describe('GPU busy, MFU, memory, power and more; what is not measurable says why.'),
  comparedWith: z.int().nullable().describe('Place of the rung that it is compared with, from 0.'),
  speedup: z
    .number()
    .nullable()
    .describe('Time for the same work at the rung before over the time here: above 1 is faster.'),
  cumulativeSpeedup: z.number().nullable().describe('The same against the baseline.'),
  verdict: z.enum(RUNG_VERDICTS),
  verdictText: z.string(),
  reason: z.enum(NOT_COMPARABLE).nullable().describe('Why it is not comparable.'),
  changes: z.array(changeSchema).describe('What differs from the rung before, as far as the runs say it.'),
  warning: z
    .string()
    .nullable()
    .describe('That several things were changed at once: the gain belongs to none of them alone.'),
});

export const presentedNextSchema = z
  .object({
    rung: z.int().describe('Place of the rung whose report names it.'),
    finding: presentedFindingSchema.nullable().describe('Null when that report names nothing.'),
    text: z.string(),
  })
  .nullable()
  .describe('What to try next; null while no rung has a report.');

export const ladderTableSchema = z.object({
  rungs: z.array(presentedRungSchema),
  speedup: z.number().nullable().describe('Of the last rung that can be compared with the baseline.'),
  next: presentedNextSchema,
});
export type PresentedLadder = z.infer<typeof ladderTableSchema>;
export type PresentedRung = z.infer<typeof presentedRungSchema>;

/** Puts a ladder into words, the same for API and CLI. */
export function presentLadder({ rungs, speedup, next }: Ladder): PresentedLadder {
  const finding = next?.finding ? presentFinding(next.finding) : null;
  return {
    rungs: rungs.map(presentRung),
    speedup,
    next: next && { ...next, finding, text: nextText(finding) },
  };
}

function presentRung({ severalChanges, step, utilisation, ...rung }: Rung): PresentedRung {
  const labels: Readonly<Record<string, string>> = UTILISATION_LABELS;
  const reason = rung.reason && NOT_COMPARABLE_WORDING[rung.reason];
  return {
    ...rung,
    step: step && { ...step, clockText: STEP_CLOCK_WORDING[step.clock] },
    utilisation: utilisation.map((figure) => ({ ...figure, label: labels[figure.id] ?? figure.id })),
    verdictText: RUNG_VERDICT_WORDING[rung.verdict] + (reason ? `: ${reason}` : ''),
    warning: severalChanges
      ? `several things changed at once (${rung.changes.map(({ name }) => name).join(', ')}); the gain belongs to none of them alone`
      : null,
  };
}

function nextText(finding: z.infer<typeof presentedFindingSchema> | null): string {
  if (!finding)
    return 'The last report names nothing that a change of the host, the loader or the network would fix.';
  const [fix] = finding.fixes;
  return `${finding.title}. ${fix ? `Try: ${fix.title}. ${fix.how}` : finding.explanation}`;
}
