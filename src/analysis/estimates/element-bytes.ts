import { type EstimateDtype, type EstimateRequest } from './estimate-request';

const BYTES: Readonly<Record<EstimateDtype, number>> = {
  fp64: 8,
  fp32: 4,
  tf32: 4,
  bf16: 2,
  fp16: 2,
  fp8: 1,
  int8: 1,
  fp4: 0.5,
};

/** How parameters are stored unless the request says so: TF32 is a mode of fp32, FP8 training keeps 16-bit weights. */
const STORED_AS: Readonly<Partial<Record<EstimateDtype, EstimateDtype>>> = { tf32: 'fp32', fp8: 'bf16' };

/** Activations stay 16-bit where only the matrix units' inputs are narrower. */
const MIN_ACTIVATION_BYTES = 2;

/** Bytes per element of what a run holds and moves. */
export interface ElementBytes {
  parameter: number;
  gradient: number;
  optimizerState: number;
  activation: number;
}

export function elementBytes(request: EstimateRequest): ElementBytes {
  const stored = request.parameterDtype ?? STORED_AS[request.dtype] ?? request.dtype;
  return {
    parameter: BYTES[stored],
    gradient: BYTES[request.gradientDtype ?? stored],
    optimizerState: BYTES[request.stateDtype],
    activation: Math.max(MIN_ACTIVATION_BYTES, BYTES[request.dtype]),
  };
}
