import { type RooflineReport } from '../../analysis';

/** Why a kernel has no cost, in words; the type demands words for every reason. */
export const NO_MODEL_WORDING: Readonly<Record<RooflineReport['withoutModel'][number]['reason'], string>> = {
  'launch-not-recorded': 'its launch is not in the file',
  'graph-replay': 'replayed from a CUDA graph, which carries no shapes',
  compiled: 'compiled (Triton) kernel, which carries no shapes',
  'outside-ops': 'launched outside any operator',
  'no-shapes': 'recorded without record_shapes=True',
  'op-not-modelled': 'the catalogue of costs does not have this operator',
  'inputs-not-modelled': 'its inputs do not show enough',
  'part-of-another-op': 'glue of an operator whose work is counted inside it',
};

/** Why an op may seem faster than its roof. */
export const ANOMALY_WORDING: Readonly<Record<RooflineReport['anomalies'][number]['likelyCause'], string>> = {
  'flop-upper-bound': 'its causal flag or mask is not visible, so its flop are an upper bound',
  'fast-convolution': 'Winograd or FFT convolutions multiply less than the direct one that is counted',
  'inputs-in-cache': 'so small that its inputs may still be in the cache',
  'expanded-inputs': 'a broadcast input is counted in full',
  unknown: 'the peak in the catalogue may be wrong',
};
