import { CITATIONS } from './citations';
import { elementBytes } from './element-bytes';
import { type EstimateRequest } from './estimate-request';

/** One kind of state that stays on a GPU from step to step; `bytes` null when `reason` says what is missing. */
export interface ModelState {
  id: 'memory-parameters' | 'memory-master-weights' | 'memory-gradients' | 'memory-optimizer';
  bytes: number | null;
  formula: string;
  citation: string | null;
  reason?: string;
}

const MASTER_WEIGHT_BYTES = 4;
/** Moments that Adam keeps. */
const MOMENTS = 2;
/** Bytes per moment with one 32-bit scale for each block of 2048. */
const EIGHT_BIT_MOMENT_BYTES = 1 + 4 / 2048;

/** Parameters, gradients and optimizer states on one GPU, shared out as the sharding says (ZeRO, figure 1). */
export function modelStates(request: EstimateRequest): ModelState[] {
  const { parameters, optimizer, sharding, worldSize, gpusPerNode, masterWeights } = request;
  const bytes = elementBytes(request);
  const trainable = request.trainableParameters ?? parameters;
  const ranks = sharding === 'hybrid' ? (gpusPerNode ?? worldSize) : worldSize;
  const over = (kind: 'parameters' | 'gradients' | 'optimizer'): number =>
    SHARDED[sharding].includes(kind) ? ranks : 1;
  const shared = (kind: 'parameters' | 'gradients' | 'optimizer'): string =>
    over(kind) > 1 ? ` / ${over(kind)} ranks` : '';
  const perParameter = optimizerBytes(request);
  return [
    {
      id: 'memory-parameters',
      bytes: (parameters * bytes.parameter) / over('parameters'),
      formula: `parameters · ${bytes.parameter} bytes${shared('parameters')}${over('parameters') > 1 ? ', without the layer that is gathered at the time' : ''}`,
      citation: CITATIONS.zero,
    },
    ...(masterWeights
      ? [
          {
            id: 'memory-master-weights' as const,
            bytes: (trainable * MASTER_WEIGHT_BYTES) / over('optimizer'),
            formula: `trained parameters · ${MASTER_WEIGHT_BYTES} bytes${shared('optimizer')}`,
            citation: CITATIONS.zero,
          },
        ]
      : []),
    {
      id: 'memory-gradients',
      bytes: optimizer === 'none' ? 0 : (trainable * bytes.gradient) / over('gradients'),
      formula:
        optimizer === 'none'
          ? 'nothing is trained'
          : `trained parameters · ${bytes.gradient} bytes${shared('gradients')}`,
      citation: CITATIONS.zero,
    },
    {
      id: 'memory-optimizer',
      bytes: perParameter.bytes === null ? null : (trainable * perParameter.bytes) / over('optimizer'),
      formula: `trained parameters · ${perParameter.formula}${shared('optimizer')}`,
      citation: perParameter.citation,
      ...(perParameter.bytes === null
        ? { reason: 'needs the width of the model: one row and one column are kept per matrix' }
        : {}),
    },
  ];
}

const SHARDED: Readonly<
  Record<EstimateRequest['sharding'], readonly ('parameters' | 'gradients' | 'optimizer')[]>
> = {
  none: [],
  zero1: ['optimizer'],
  zero2: ['optimizer', 'gradients'],
  zero3: ['optimizer', 'gradients', 'parameters'],
  hybrid: ['optimizer', 'gradients', 'parameters'],
};

function optimizerBytes(request: EstimateRequest): {
  bytes: number | null;
  formula: string;
  citation: string | null;
} {
  const state = elementBytes(request).optimizerState;
  switch (request.optimizer) {
    case 'adamw':
      return { bytes: MOMENTS * state, formula: `2 moments · ${state} bytes`, citation: CITATIONS.adam };
    case 'adamw-8bit':
      return {
        bytes: MOMENTS * EIGHT_BIT_MOMENT_BYTES,
        formula: '2 moments · (1 byte + 4 bytes / 2048)',
        citation: CITATIONS.adam8bit,
      };
    case 'sgd-momentum':
      return { bytes: state, formula: `1 momentum · ${state} bytes`, citation: null };
    case 'adafactor':
      return {
        bytes: request.hiddenSize === undefined ? null : (2 / request.hiddenSize) * state,
        formula: `2/h · ${state} bytes (a row and a column per matrix of width h, no first moment)`,
        citation: CITATIONS.adafactor,
      };
    case 'sgd':
    case 'none':
      return { bytes: 0, formula: '0 bytes: it keeps no states', citation: null };
  }
}
