/**
 * Time inside the core: integer nanoseconds as doubles, relative to one bigint origin per rank.
 * Doubles hold integers exactly up to 2^53 ns, which is 104 days from the origin.
 */
export const NS_PER_US = 1_000;
export const NS_PER_MS = 1_000_000;
export const NS_PER_S = 1_000_000_000;

/**
 * Longest duration, and farthest distance from the middle of the trace, that is believed.
 * Profilers are known to write 236-year durations; no training trace spans a week.
 */
export const MAX_PLAUSIBLE_NS = 7 * 24 * 3600 * NS_PER_S;
