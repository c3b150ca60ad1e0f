/** Steps of all ranks together in one answer, unless less is asked for: some 3 MB. */
export const STEPS_PER_ANSWER = 5_000;

/**
 * The report with at most `maxSteps` steps, the same number for each rank where there are more, and how many were left out.
 * At least one of each rank; averages, metrics and findings still stand on all of them.
 */
export function boundSteps<Bounded extends { ranks: { steps: unknown[] }[] }>(
  report: Bounded,
  maxSteps: number,
): { report: Bounded; stepsOmitted: number } {
  const total = report.ranks.reduce((sum, { steps }) => sum + steps.length, 0);
  if (total <= maxSteps) return { report, stepsOmitted: 0 };
  const perRank = Math.max(1, Math.floor(maxSteps / report.ranks.length));
  const ranks = report.ranks.map((rank) => ({ ...rank, steps: rank.steps.slice(0, perRank) }));
  const kept = ranks.reduce((sum, { steps }) => sum + steps.length, 0);
  return { report: { ...report, ranks }, stepsOmitted: total - kept };
}
