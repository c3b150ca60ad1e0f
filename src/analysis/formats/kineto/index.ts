import { type ArtifactFormat } from '../artifact-format';
import { readKineto } from './read-kineto';
import { sniffKineto } from './sniff';

/** Traces of the PyTorch profiler, as kineto writes them in Chrome's trace-event format. */
export const kinetoFormat: ArtifactFormat = {
  id: 'kineto',
  sniffOrder: 10,
  sniff: sniffKineto,
  read: async (chunks, context) => ({ kind: 'timelines', timelines: [await readKineto(chunks, context)] }),
};
