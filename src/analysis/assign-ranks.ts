import { type ReadArtifact } from './read-artifact';
import { type ProblemLog } from './timeline/problem';
import { type RankTimeline } from './timeline/rank-timeline';

/** Ranks as frameworks write them into paths: rank0.json, rank-3/trace.json, rank_12, and `worker1.….json` at the start of a name. */
const RANK_IN_PART = /rank[_-]?(\d{1,9})(?!\d)/i;
const WORKER_IN_NAME = /^worker(\d{1,9})[._]/i;

/**
 * Gives every trace its rank: what the trace says, else its path (file name first, then the folders above), else the
 * first free number. Two traces that say the same rank of themselves: the first stays; two paths that do: the second is
 * numbered. Sorted by rank.
 */
export function assignRanks(
  read: readonly ReadArtifact[],
  problems: ProblemLog,
): { rank: number; timeline: RankTimeline }[] {
  const timelines = read.flatMap(({ content }) => (content?.kind === 'timelines' ? content.timelines : []));
  const taken = new Map<number, RankTimeline>();
  for (const timeline of timelines) {
    const { rank } = timeline.metadata;
    if (rank === null) continue;
    if (taken.has(rank)) problems.add('duplicate-rank', timeline.path, 1, `rank ${rank}`);
    else taken.set(rank, timeline);
  }
  const silent = timelines.filter((timeline) => timeline.metadata.rank === null);
  const unnamed: RankTimeline[] = [];
  for (const timeline of silent) {
    const rank = rankFromPath(timeline.path);
    if (rank === null || taken.has(rank)) unnamed.push(timeline);
    else taken.set(rank, timeline);
  }
  let next = 0;
  for (const timeline of unnamed) {
    while (taken.has(next)) next++;
    taken.set(next, timeline);
  }
  if (timelines.length > 1) for (const { path } of silent) problems.add('rank-unknown', path);
  return [...taken].map(([rank, timeline]) => ({ rank, timeline })).sort((a, b) => a.rank - b.rank);
}

/** Rank in the last part of the path that names one; null when none does. */
export function rankFromPath(path: string): number | null {
  const parts = path.split('/').reverse();
  for (const part of parts) {
    const match = RANK_IN_PART.exec(part) ?? WORKER_IN_NAME.exec(part);
    if (match) return Number(match[1]);
  }
  return null;
}
