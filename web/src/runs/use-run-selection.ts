import { useState } from 'react';
import { type Schemas } from '../api/client';

type Run = Pick<Schemas['RunSummary'], 'id' | 'model' | 'createdAt' | 'verdict'>;

const MOST = 2;

/** Runs that are selected to be compared, also those of other pages of the list; two at most. */
export function useRunSelection() {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const isSelected = ({ id }: Run) => runs.some((run) => run.id === id);
  return {
    /** The older first. */
    runs: [...runs].sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt)),
    isSelected,
    /** Whether it can be selected: there is a report to compare, and room. */
    isOpen: (run: Run) => isSelected(run) || (run.verdict !== null && runs.length < MOST),
    toggle: (run: Run) =>
      setRuns((before) =>
        isSelected(run) ? before.filter(({ id }) => id !== run.id) : [...before, run].slice(-MOST),
      ),
    clear: () => setRuns([]),
  };
}

export type RunSelection = ReturnType<typeof useRunSelection>;
