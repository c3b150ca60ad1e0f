/** A time from which on a series and branch has another level. */
export interface Segment {
  at: Date;
  /** The level is the new baseline. */
  isAccepted: boolean;
}

/** Runs that are no baseline, because they are worse than they should be. */
export interface BadInterval {
  from: Date;
  /** First good time after it; null while it lasts. */
  until: Date | null;
}

/** The points since the level last changed, in which the next change is looked for. */
export function sinceLastChange<T extends { at: Date }>(
  points: readonly T[],
  segments: readonly Segment[],
  at: Date,
): T[] {
  const start = latest(segments, at);
  return points.filter((point) => start === undefined || point.at >= start);
}

/** The points that a run is judged by: of the accepted level, without the runs of regressions. */
export function baselineOf<T extends { at: Date }>(
  points: readonly T[],
  segments: readonly Segment[],
  bad: readonly BadInterval[],
  at: Date,
): T[] {
  const accepted = segments.filter(({ isAccepted }) => isAccepted);
  return sinceLastChange(points, accepted, at).filter(
    (point) => !bad.some(({ from, until }) => point.at >= from && (until === null || point.at < until)),
  );
}

function latest(segments: readonly Segment[], at: Date): Date | undefined {
  const past = segments.filter((segment) => segment.at <= at).map((segment) => segment.at.getTime());
  return past.length === 0 ? undefined : new Date(Math.max(...past));
}
