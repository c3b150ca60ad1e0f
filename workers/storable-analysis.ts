import { type Analysis } from '../src/analysis';
import { type StorableAnalysis } from '../src/modules/ingestion';
import { presentReport } from '../src/presentation';

/** Steps of all ranks together that a report may have: some 30 MB of JSON. Real recordings have tens. */
export const MAX_STEPS = 50_000;
const LARGEST_INTEGER_COLUMN = 2 ** 31 - 1;

/** An analysis as rows and JSON texts. Steps must have been counted before. */
export function toStorable(analysis: Analysis): StorableAnalysis {
  return {
    analysisVersion: analysis.analysisVersion,
    bottleneck: analysis.verdict.bottleneck,
    confidence: analysis.verdict.confidence,
    summary: storable(presentReport(analysis).verdict.summary),
    reportJson: toJson(analysis),
    metricsJson: toJson(analysis.metrics),
    stepsJson: toJson(stepRows(analysis)),
    findingsJson: toJson(analysis.findings.map((finding, ordinal) => ({ ...finding, ordinal }))),
  };
}

/** How many steps the report has, over all ranks. */
export function countSteps({ ranks }: Analysis): number {
  return ranks.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** One row a step. Numbers that a trace gives its steps are used when they can be keys; else their order. */
function stepRows({ ranks }: Analysis): object[] {
  return ranks.flatMap(({ rank, steps }) => {
    const numbers = new Set(steps.map(({ index }) => index));
    const usable =
      numbers.size === steps.length && [...numbers].every((n) => Math.abs(n) <= LARGEST_INTEGER_COLUMN);
    return steps.map((step, order) => ({ ...step, rank, stepIndex: usable ? step.index : order }));
  });
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? storable(field) : field,
  );
}

// Postgres holds neither NUL nor lone surrogates, and names in a trace may have both.
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

function storable(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}
