import { type Analysis } from '../../analysis';

/** Steps of all ranks together in one answer: some 3 MB. */
export const STEPS_PER_ANSWER = 5_000;

/**
 * The analysis with at most `maxSteps` steps, the same number for each rank where there are more, and how many were
 * left out. Averages, metrics and findings still stand on all of them.
 */
export function boundSteps(
  analysis: Analysis,
  maxSteps: number,
): { analysis: Analysis; stepsOmitted: number } {
  const total = analysis.ranks.reduce((sum, { steps }) => sum + steps.length, 0);
  if (total <= maxSteps) return { analysis, stepsOmitted: 0 };
  const perRank = Math.max(1, Math.floor(maxSteps / analysis.ranks.length));
  const ranks = analysis.ranks.map((rank) => ({ ...rank, steps: rank.steps.slice(0, perRank) }));
  const kept = ranks.reduce((sum, { steps }) => sum + steps.length, 0);
  return { analysis: { ...analysis, ranks }, stepsOmitted: total - kept };
}
