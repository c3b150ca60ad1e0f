import { type ReadArtifact } from './read-artifact';
import { type ProblemLog } from './timeline/problem';
import { type RankTimeline } from './timeline/rank-timeline';

/** Ranks in file names as frameworks write them: rank0, rank-3, rank_12, worker1. */
const RANK_IN_NAME = /(?:rank|worker)[_-]?(\d+)/i;

/**
 * Gives every trace its rank: what the trace says, else its file name, else the first free number. Two traces of one
 * rank: the first stays. Sorted by rank.
 */
export function assignRanks(
  read: readonly ReadArtifact[],
  problems: ProblemLog,
): { rank: number; timeline: RankTimeline }[] {
  const timelines = read.flatMap(({ content }) => (content?.kind === 'timeline' ? [content.timeline] : []));
  const taken = new Map<number, RankTimeline>();
  const unnamed: RankTimeline[] = [];
  for (const timeline of timelines) {
    const rank = timeline.metadata.rank ?? rankFromName(timeline.path);
    if (rank === null) unnamed.push(timeline);
    else if (taken.has(rank)) problems.add('duplicate-rank', timeline.path, 1, `rank ${rank}`);
    else {
      taken.set(rank, timeline);
      if (timeline.metadata.rank === null && timelines.length > 1)
        problems.add('rank-unknown', timeline.path);
    }
  }
  let next = 0;
  for (const timeline of unnamed) {
    while (taken.has(next)) next++;
    taken.set(next, timeline);
    if (timelines.length > 1) problems.add('rank-unknown', timeline.path);
  }
  return [...taken].map(([rank, timeline]) => ({ rank, timeline })).sort((a, b) => a.rank - b.rank);
}

function rankFromName(path: string): number | null {
  const match = RANK_IN_NAME.exec(path.split('/').at(-1) ?? path);
  return match ? Number(match[1]) : null;
}
