/** The pages of a team that are reached from everywhere: `/t/<team>/<path>`. */
export const PAGES: { path: string; label: string }[] = [
  { path: 'runs', label: 'Runs' },
  { path: 'trends', label: 'Trends' },
  { path: 'regressions', label: 'Regressions' },
  { path: 'fleet', label: 'Fleet' },
  { path: 'ladders', label: 'Ladders' },
];
