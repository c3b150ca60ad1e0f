import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { peakFlopPerSec } from '../gpu-specs/peaks';
import { CITATIONS } from './citations';
import { type EstimateFigure, figuresOf, needs } from './estimate-figure';
import { type EstimateRequest } from './estimate-request';

const { known, missing } = figuresOf('compute');

/** Flop per parameter and token: forward 2, gradients of activations 2, gradients of trained parameters 2. */
const FORWARD = 2;
const ACTIVATION_GRADIENT = 2;
const PARAMETER_GRADIENT = 2;

/**
 * Flop of one optimizer step on one GPU, the least time they take at the dense peak, and MFU and HFU where a step time is
 * given. Dense models; the attention term counts the full square, as PaLM does.
 */
export function computeFigures(request: EstimateRequest, gpu: GpuSpec | null): EstimateFigure[] {
  const tokens = tokensPerStep(request);
  const tokensFormula =
    request.tokensPerStep === undefined
      ? 'micro-batch size · sequence length · accumulation, on one GPU'
      : 'as given, on one GPU';
  const peak = peakOf(request, gpu);
  const peakFigure =
    peak.flopPerSec === null
      ? missing('peak', 'flopPerSec', peak.reason, 'dense peak of the GPU in this format')
      : known('peak', peak.flopPerSec, 'flopPerSec', 'dense peak of the GPU in this format', peak.source);
  if (tokens === null) {
    const reason = needs('the tokens per step, or micro-batch size and sequence length');
    return [
      missing('tokens-per-step', 'count', reason, tokensFormula),
      missing('model-flop', 'flop', reason, flopFormula(request, 'model')),
      missing('hardware-flop', 'flop', reason, flopFormula(request, 'hardware')),
      peakFigure,
      missing('least-step-time', 'ns', reason, TIME_FORMULAS['least-step-time']),
      missing('mfu', 'ratio', reason, TIME_FORMULAS.mfu),
      missing('hfu', 'ratio', reason, TIME_FORMULAS.hfu),
    ];
  }
  const model = flopOf(request, tokens, 'model');
  const hardware = flopOf(request, tokens, 'hardware');
  return [
    known('tokens-per-step', tokens, 'count', tokensFormula),
    known('model-flop', model, 'flop', flopFormula(request, 'model'), flopCitation(request)),
    known('hardware-flop', hardware, 'flop', flopFormula(request, 'hardware'), CITATIONS.recompute),
    peakFigure,
    ...timeFigures(request, peak, model, hardware),
  ];
}

/** Tokens of one optimizer step on one GPU; null when the request does not say. */
function tokensPerStep(request: EstimateRequest): number | null {
  const { microBatchSize, sequenceLength, gradientAccumulation } = request;
  if (request.tokensPerStep !== undefined) return request.tokensPerStep;
  if (microBatchSize === undefined || sequenceLength === undefined) return null;
  return microBatchSize * sequenceLength * gradientAccumulation;
}

/** Products of the attention scores per token: 12 · layers · width · sequence, a third of it in the forward pass. */
function attentionFlopPerToken({ layers, hiddenSize, sequenceLength }: EstimateRequest): number | null {
  if (layers === undefined || hiddenSize === undefined || sequenceLength === undefined) return null;
  return 12 * layers * hiddenSize * sequenceLength;
}

function flopOf(request: EstimateRequest, tokens: number, which: 'model' | 'hardware'): number {
  const { parameters, checkpointing, optimizer } = request;
  const trainable = request.trainableParameters ?? parameters;
  const attention = attentionFlopPerToken(request) ?? 0;
  if (optimizer === 'none') return (FORWARD * parameters + attention / 3) * tokens;
  const perToken = (FORWARD + ACTIVATION_GRADIENT) * parameters + PARAMETER_GRADIENT * trainable + attention;
  const again =
    which === 'model' || checkpointing === 'none'
      ? 0
      : checkpointing === 'full'
        ? FORWARD * parameters + attention / 3
        : attention / 3;
  return (perToken + again) * tokens;
}

function flopFormula(request: EstimateRequest, which: 'model' | 'hardware'): string {
  const attention = attentionFlopPerToken(request) === null ? '' : ' + 12·layers·h·s·T';
  if (request.optimizer === 'none') return `2·N·T${attention ? ' + 4·layers·h·s·T' : ''}: forward only`;
  const some = (request.trainableParameters ?? request.parameters) < request.parameters;
  const model = `${some ? '(4·N + 2·N trained)·T' : '6·N·T'}${attention}`;
  const left = attention
    ? ''
    : '; without the attention term, which needs the number of layers, the width of the model, the sequence length';
  if (which === 'model' || request.checkpointing === 'none') return model + left;
  return `${model} + ${request.checkpointing === 'full' ? `2·N·T${attention ? ' + 4·layers·h·s·T' : ''}` : '4·layers·h·s·T'} computed again${left}`;
}

function flopCitation(request: EstimateRequest): string {
  return attentionFlopPerToken(request) === null
    ? CITATIONS.flop
    : `${CITATIONS.flop}; ${CITATIONS.attentionFlop}`;
}

type Peak = { flopPerSec: number; source: string } | { flopPerSec: null; reason: string };

function peakOf(request: EstimateRequest, gpu: GpuSpec | null): Peak {
  if (request.peakFlopPerSec !== undefined) return { flopPerSec: request.peakFlopPerSec, source: 'as given' };
  if (!gpu) return { flopPerSec: null, reason: needs('the GPU, or its dense peak') };
  const choice = peakFlopPerSec(gpu, request.dtype);
  if (!choice) return { flopPerSec: null, reason: `${gpu.label} has no published peak for ${request.dtype}` };
  return {
    flopPerSec: choice.flopPerSec,
    source: choice.note ? `${choice.source}; ${choice.note}` : choice.source,
  };
}

const TIME_FORMULAS = {
  'least-step-time': 'flop with what is computed again / dense peak: nothing else takes time',
  mfu: 'model flop / step time / dense peak',
  hfu: 'flop with what is computed again / step time / dense peak',
} as const;

function timeFigures(
  request: EstimateRequest,
  peak: Peak,
  model: number,
  hardware: number,
): EstimateFigure[] {
  const { stepTimeS } = request;
  const least =
    peak.flopPerSec === null
      ? missing('least-step-time', 'ns', peak.reason, TIME_FORMULAS['least-step-time'])
      : known(
          'least-step-time',
          Math.round((hardware / peak.flopPerSec) * 1e9),
          'ns',
          TIME_FORMULAS['least-step-time'],
        );
  return [
    least,
    ...(['mfu', 'hfu'] as const).map((id) => {
      if (stepTimeS === undefined) return missing(id, 'ratio', needs('a step time'), TIME_FORMULAS[id]);
      if (peak.flopPerSec === null) return missing(id, 'ratio', peak.reason, TIME_FORMULAS[id]);
      const flop = id === 'mfu' ? model : hardware;
      return known(
        id,
        flop / stepTimeS / peak.flopPerSec,
        'ratio',
        TIME_FORMULAS[id],
        CITATIONS.attentionFlop,
      );
    }),
  ];
}
