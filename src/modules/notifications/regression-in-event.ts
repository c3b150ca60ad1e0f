import { z } from 'zod';
import { formatFigure } from '../../presentation';

/** A regression, as a webhook is told of it: as it was when the event happened. Figures are in `unit`. */
const regressionSchema = z.object({
  regressionId: z.uuid(),
  resolution: z.string().nullable(),
  model: z.string(),
  cluster: z.string(),
  branch: z.string().nullable(),
  metricId: z.string(),
  unit: z.string(),
  before: z.number(),
  after: z.number(),
  changeRatio: z.number().nullable(),
  firstBadCommit: z.string().nullable(),
  lastGoodCommit: z.string().nullable(),
  url: z.string(),
});
export type RegressionInEvent = z.infer<typeof regressionSchema>;

/** What an event says of its regression; undefined for events of other types. */
export function regressionIn(type: string, details: unknown): RegressionInEvent | undefined {
  return type.startsWith('regression.') ? regressionSchema.safeParse(details).data : undefined;
}

/** A regression in a few lines of plain text. */
export function describeRegression(regression: RegressionInEvent): string[] {
  const { metricId, unit, before, after, changeRatio, branch, firstBadCommit, lastGoodCommit } = regression;
  const percent =
    changeRatio === null
      ? ''
      : ` (${changeRatio > 0 ? '+' : '−'}${Math.abs(100 * changeRatio).toFixed(1)} %)`;
  const [from, to] = [before, after].map((value) => formatFigure({ value, unit }));
  return [
    `${metricId}: ${from} → ${to}${percent}`,
    ...(regression.resolution === null ? [] : [`Resolved: ${regression.resolution}`]),
    ...(branch === null ? [] : [`Branch: ${branch}`]),
    ...(firstBadCommit === null ? [] : [`First bad commit: ${firstBadCommit}`]),
    ...(lastGoodCommit === null ? [] : [`Last good commit: ${lastGoodCommit}`]),
  ];
}
