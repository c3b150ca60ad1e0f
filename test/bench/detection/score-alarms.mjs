import { RUNS } from './simulate-series.mjs';

/** Alarms within so many runs after a change belong to it. */
const MATCH_RUNS = 30;
/** An alarm at a place that was told before is no new one. */
const SAME_PLACE_RUNS = 5;

/** Alarms of a series of which some runs are uploaded late: those without them, then what is new with them. */
function alarmsOf(detect, { values, late }) {
  if (!late.includes(true)) return detect(values);
  const inTime = values.flatMap((_, i) => (late[i] ? [] : [i]));
  const first = detect(inTime.map((i) => values[i])).map(({ foundAt, index }) => ({
    foundAt: inTime[foundAt],
    index: inTime[index],
  }));
  const isKnown = ({ index }) => first.some((known) => Math.abs(known.index - index) <= SAME_PLACE_RUNS);
  return [...first, ...detect(values).filter((alarm) => !isKnown(alarm))];
}

/** Counts of one detector over some series. */
export function countAlarms(detect, series) {
  const counts = {
    runs: series.length * RUNS,
    changes: 0,
    hits: 0,
    falseAlarms: 0,
    delays: [],
    misplaced: [],
  };
  for (const one of series) {
    counts.changes += one.changes.length;
    const isOf = (change, { foundAt }) => foundAt >= change && foundAt < change + MATCH_RUNS + one.slowRuns;
    const open = new Set(one.changes);
    for (const alarm of alarmsOf(detect, one)) {
      const change = [...open].find((at) => isOf(at, alarm));
      if (change !== undefined) {
        open.delete(change);
        counts.hits++;
        counts.delays.push(alarm.foundAt - change);
        if (one.slowRuns === 0) counts.misplaced.push(Math.abs(alarm.index - change));
        // What is left of a slow change is no new one, and no false alarm.
      } else if (one.slowRuns === 0 || !one.changes.some((at) => isOf(at, alarm))) counts.falseAlarms++;
    }
  }
  return counts;
}

/** Sum of counts of several scenarios. */
export function addCounts(all) {
  const sum = (pick) => all.reduce((total, counts) => total + pick(counts), 0);
  return {
    runs: sum(({ runs }) => runs),
    changes: sum(({ changes }) => changes),
    hits: sum(({ hits }) => hits),
    falseAlarms: sum(({ falseAlarms }) => falseAlarms),
    delays: all.flatMap(({ delays }) => delays),
    misplaced: all.flatMap(({ misplaced }) => misplaced),
  };
}

export const falseAlarmsPer1000 = ({ falseAlarms, runs }) => (1000 * falseAlarms) / runs;

/** Precision and recall; the mean delay, in which a change that was never found counts as found MATCH_RUNS late. */
export function summarize(counts) {
  const { changes, hits, falseAlarms, delays, misplaced } = counts;
  const missed = changes - hits;
  const total = delays.reduce((a, b) => a + b, 0) + missed * MATCH_RUNS;
  return {
    precision: hits + falseAlarms === 0 ? null : hits / (hits + falseAlarms),
    recall: changes === 0 ? null : hits / changes,
    delayRuns: changes === 0 ? null : total / changes,
    misplacedRuns: misplaced.length === 0 ? null : misplaced.reduce((a, b) => a + b, 0) / misplaced.length,
    falseAlarmsPer1000: falseAlarmsPer1000(counts),
  };
}
