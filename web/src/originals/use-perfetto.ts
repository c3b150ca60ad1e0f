import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schemas } from '../api/client';
import { type Artifact, fetchOriginal, readWhole } from './original';
import { handOver, openWindow, whenReady } from './perfetto';

interface Opening {
  artifact: Artifact;
  aborter: AbortController;
}

/** Takes traces of a run from here to Perfetto. `open` must be called while a click is handled. */
export function usePerfetto(team: string, run: Pick<Schemas['Run'], 'id' | 'model'>) {
  const [doneBytes, setDoneBytes] = useState(0);
  const opening = useMutation({
    mutationFn: async ({ artifact, aborter }: Opening) => {
      const target = openWindow();
      try {
        const { signal } = aborter;
        const fetched = fetchOriginal(team, run.id, artifact, signal).then((response) =>
          readWhole(response, artifact.sizeBytes, setDoneBytes),
        );
        const [bytes] = await Promise.all([fetched, whenReady(target, signal)]);
        handOver(target, {
          bytes,
          title: `${run.model}, ${artifact.name}`,
          fileName: baseName(artifact.name),
        });
      } catch (error) {
        // What is not fetched by now is of no use, nor is a window without a trace.
        aborter.abort();
        target.close();
        throw error;
      }
    },
  });
  return {
    open: (artifact: Artifact) => {
      setDoneBytes(0);
      opening.mutate({ artifact, aborter: new AbortController() });
    },
    cancel: () => {
      opening.variables?.aborter.abort(new DOMException('', 'AbortError'));
      opening.reset();
    },
    artifact: opening.variables?.artifact,
    isOpening: opening.isPending,
    isOpened: opening.isSuccess,
    error: opening.error,
    doneBytes,
  };
}

export type Perfetto = ReturnType<typeof usePerfetto>;

const baseName = (name: string) => name.slice(name.lastIndexOf('/') + 1);
