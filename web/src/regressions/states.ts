/** States of a regression, in the words and colours of every page. */
export const REGRESSION_STATES = {
  open: { label: 'Open', color: 'red' },
  acknowledged: { label: 'Acknowledged', color: 'orange' },
  resolved: { label: 'Resolved', color: 'teal' },
} as const;

/** How a regression was resolved; what a later release adds shows its id. */
export const RESOLUTIONS: Readonly<Record<string, string>> = {
  recovered: 'the runs are good again',
  fixed: 'said to be fixed',
  accepted: 'accepted as the new baseline',
  'no-regression': 'no regression',
  'no-runs-left': 'its runs were deleted',
};
