import { type ProblemDefinition } from './problem-definition';

/** Asking about many runs at once. */
export const trendProblems = {
  'series-not-found': {
    status: 404,
    title: 'There is no such series',
    action:
      'Check the id against GET /v1/series, and that your credential belongs to the team of the series.',
  },
  'metric-unknown': {
    status: 400,
    title: 'There is no such metric',
    action: 'Choose an id of GET /v1/metrics-catalogue.',
  },
  'trend-too-wide': {
    status: 422,
    title: 'The question covers more than one answer holds',
    action:
      'Narrow it: filter by seriesId, model, cluster or branch, ask for a shorter time, or split it by series.',
  },
  'comparison-empty': {
    status: 422,
    title: 'One side of the comparison has no run with a report',
    action: 'Widen the filter of that side, or wait until its runs are done.',
  },
} as const satisfies Record<string, ProblemDefinition>;
