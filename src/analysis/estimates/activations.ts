import { CITATIONS } from './citations';
import { elementBytes } from './element-bytes';
import { needs } from './estimate-figure';
import { type EstimateRequest } from './estimate-request';

/** Bytes with the formula they follow from, or what is missing for it. */
export type Amount =
  { bytes: number; formula: string; citation: string } | { bytes: null; reason: string; formula: string };

/**
 * Activations of one micro-batch that the backward pass needs, over all layers of a decoder or encoder with a 4h MLP, GELU
 * and dropout. In units of s·b·h per layer the paper counts 34 bytes in 16-bit: 16 elements and two one-byte dropout
 * masks; the attention scores add 2 elements and one mask per a·s²·b, unless they are computed again or never kept.
 */
export function activationBytes(request: EstimateRequest): Amount {
  const {
    microBatchSize: b,
    sequenceLength: s,
    hiddenSize: h,
    heads: a,
    layers,
    checkpointing,
    flashAttention,
  } = request;
  const e = elementBytes(request).activation;
  const scored = checkpointing === 'none' && !flashAttention;
  const perLayer = `${16 * e + 2}·s·b·h`;
  const formula = {
    none: scored
      ? `layers · (${perLayer} + ${2 * e + 1}·a·s²·b)`
      : `layers · ${perLayer}, attention scores never kept`,
    selective: `layers · ${perLayer}, attention scores computed again`,
    full: `layers · ${e}·s·b·h for the inputs of the layers + ${perLayer} of the one being computed again`,
  }[checkpointing];
  if (b === undefined || s === undefined || h === undefined || layers === undefined)
    return {
      bytes: null,
      formula,
      reason: needs(
        'the micro-batch size',
        'the sequence length',
        'the width of the model',
        'the number of layers',
      ),
    };
  if (scored && a === undefined) return { bytes: null, formula, reason: needs('the attention heads') };

  const layer = (16 * e + 2) * s * b * h;
  const scores = scored ? (2 * e + 1) * (a ?? 0) * s * s * b : 0;
  const bytes = checkpointing === 'full' ? layers * e * s * b * h + layer : layers * (layer + scores);
  const citation =
    checkpointing === 'full'
      ? CITATIONS.recompute
      : checkpointing === 'none' && flashAttention
        ? `${CITATIONS.activations}; without scores: ${CITATIONS.flashAttention}`
        : CITATIONS.activations;
  return { bytes, formula, citation };
}

/** What the head keeps: final norm, its input, and the logits of the loss in fp32. */
export function outputLayerBytes({
  microBatchSize: b,
  sequenceLength: s,
  hiddenSize: h,
  vocabulary: v,
}: EstimateRequest): Amount {
  const formula = '4·s·b·h·(1 + v/h): final norm, input of the head, 32-bit logits';
  if (b === undefined || s === undefined || h === undefined || v === undefined)
    return {
      bytes: null,
      formula,
      reason: needs(
        'the micro-batch size',
        'the sequence length',
        'the width of the model',
        'the vocabulary',
      ),
    };
  return { bytes: 4 * s * b * (h + v), formula, citation: CITATIONS.activations };
}
