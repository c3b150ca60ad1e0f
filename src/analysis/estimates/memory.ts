import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { activationBytes, type Amount, outputLayerBytes } from './activations';
import { type EstimateFigure, figuresOf, needs } from './estimate-figure';
import { type EstimateRequest } from './estimate-request';
import { modelStates } from './model-states';

const { known, missing } = figuresOf('memory');

/** Memory of one GPU in bytes; a part that cannot be known makes the total unknown. */
export interface MemoryDemand {
  modelStateBytes: number | null;
  /** Of one micro-batch, with the output layer where the vocabulary is known. */
  activationBytes: number | null;
  totalBytes: number | null;
}

/** What the run takes on one GPU: states and activations, without CUDA context, communication buffers and fragmentation. */
export function memoryDemand(request: EstimateRequest): MemoryDemand {
  const states = modelStates(request).map(({ bytes }) => bytes);
  const modelStateBytes = sumKnown(states);
  const layers = activationBytes(request).bytes;
  const activation = layers === null ? null : layers + (outputLayerBytes(request).bytes ?? 0);
  return {
    modelStateBytes,
    activationBytes: activation,
    totalBytes: sumKnown([modelStateBytes, activation]),
  };
}

/**
 * Part of the memory that a run cannot have: the driver's own (1 %), the CUDA context (some 0.5 GB), communication buffers
 * and fragmentation. A layout that fills more does not fit.
 */
export const RESERVED_SHARE = 0.05;

/** Capacity of one GPU in bytes: as given, else as published; null when neither is there. */
export function memoryCapacity(
  { gpuMemoryBytes }: EstimateRequest,
  gpu: GpuSpec | null,
): { bytes: number; source: string } | null {
  if (gpuMemoryBytes !== undefined) return { bytes: gpuMemoryBytes, source: 'as given' };
  if (!gpu || gpu.memoryBytes.value === null) return null;
  return { bytes: gpu.memoryBytes.value, source: gpu.memoryBytes.source };
}

/** The memory of one GPU: parameters, gradients, optimizer states, activations, and how they fill it. */
export function memoryFigures(request: EstimateRequest, gpu: GpuSpec | null): EstimateFigure[] {
  const demand = memoryDemand(request);
  const states = modelStates(request).map(({ id, bytes, formula, citation, reason }) =>
    bytes === null
      ? missing(id, 'bytes', reason ?? '', formula)
      : known(id, bytes, 'bytes', formula, citation),
  );
  const output = outputLayerBytes(request);
  const total =
    demand.totalBytes === null
      ? missing('memory-total', 'bytes', 'some of its parts are not known', TOTAL)
      : known(
          'memory-total',
          demand.totalBytes,
          'bytes',
          output.bytes === null ? `${TOTAL}, without the output layer` : TOTAL,
        );
  return [
    ...states,
    demand.modelStateBytes === null
      ? missing('memory-model-states', 'bytes', 'some of its parts are not known', STATES)
      : known('memory-model-states', demand.modelStateBytes, 'bytes', STATES),
    figureOf('memory-activations', activationBytes(request)),
    figureOf('memory-output-layer', output),
    total,
    ...capacityFigures(request, gpu, demand),
  ];
}

const STATES = 'parameters + gradients + optimizer states on one GPU';
const TOTAL =
  'states + activations of one micro-batch + output layer; CUDA context, communication buffers and fragmentation come on top';
const usablePercent = Math.round(100 * (1 - RESERVED_SHARE));
const NEEDS_CAPACITY = needs('the GPU, or its memory size');

function capacityFigures(
  request: EstimateRequest,
  gpu: GpuSpec | null,
  demand: MemoryDemand,
): EstimateFigure[] {
  const capacity = memoryCapacity(request, gpu);
  const shareFormula = 'total / memory of the GPU';
  const batchFormula = `(${usablePercent} % of the memory of the GPU − states) / activations of one sequence, rounded down`;
  if (!capacity) {
    return [
      missing('memory-capacity', 'bytes', NEEDS_CAPACITY, 'memory of one GPU'),
      missing('memory-share', 'ratio', NEEDS_CAPACITY, shareFormula),
      missing('largest-micro-batch', 'count', NEEDS_CAPACITY, batchFormula),
    ];
  }
  const { modelStateBytes, activationBytes: activation, totalBytes } = demand;
  const perSequence = activation === null ? null : activation / (request.microBatchSize ?? 1);
  const unknown = 'some parts of the total are not known';
  return [
    known('memory-capacity', capacity.bytes, 'bytes', 'memory of one GPU', capacity.source),
    totalBytes === null
      ? missing('memory-share', 'ratio', unknown, shareFormula)
      : known('memory-share', totalBytes / capacity.bytes, 'ratio', shareFormula),
    modelStateBytes === null || perSequence === null
      ? missing('largest-micro-batch', 'count', unknown, batchFormula)
      : known(
          'largest-micro-batch',
          Math.max(0, Math.floor(((1 - RESERVED_SHARE) * capacity.bytes - modelStateBytes) / perSequence)),
          'count',
          batchFormula,
        ),
  ];
}

function figureOf(id: string, amount: Amount): EstimateFigure {
  return amount.bytes === null
    ? missing(id, 'bytes', amount.reason, amount.formula)
    : known(id, amount.bytes, 'bytes', amount.formula, amount.citation);
}

function sumKnown(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}
