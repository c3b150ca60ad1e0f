/** The verdicts, in the words and colours of every page; one that a later release adds shows its id. */
export const VERDICTS: Readonly<Record<string, { label: string; color: string }>> = {
  'input-pipeline': { label: 'Input pipeline', color: 'red' },
  'host-cpu': { label: 'Host CPU', color: 'pink' },
  'memory-pressure': { label: 'Memory pressure', color: 'grape' },
  communication: { label: 'Communication', color: 'orange' },
  'launch-overhead': { label: 'Launch overhead', color: 'yellow' },
  'arithmetic-intensity': { label: 'Arithmetic intensity', color: 'cyan' },
  straggler: { label: 'Straggler', color: 'violet' },
  'step-jitter': { label: 'Step jitter', color: 'lime' },
  none: { label: 'No bottleneck', color: 'teal' },
  'not-measurable': { label: 'Not measurable', color: 'gray' },
};

/** States of a run without a verdict to show. */
export const STATES = {
  awaitingUpload: { label: 'Waiting for files', color: 'gray' },
  queued: { label: 'Queued', color: 'blue' },
  analyzing: { label: 'Analysing', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
} as const;
