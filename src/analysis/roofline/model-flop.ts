import { METADATA_ORIGINS, type MetadataOrigin, type RunMetadata } from '../formats/artifact-format';
import { type ModelFlop } from './roofline-schema';
import { type WorkTally } from './work-tally';

/** Flop per parameter and token: two in the forward pass, four in the backward (Kaplan et al., 2020, section 2.1). */
const FLOP_PER_PARAMETER = 6;
/** Flop per layer, hidden unit, position and token of attention, without causal discount (Chowdhery et al., 2022, appendix B). */
const ATTENTION_FLOP = 12;

/** Names that training jobs give to the number of layers and the width of the model. */
const LAYER_KEYS = ['layers', 'n_layers', 'num_layers', 'n_layer', 'num_hidden_layers'];
const HIDDEN_KEYS = ['hidden', 'hidden_size', 'd_model', 'n_embd', 'dim'];

/** Model flop of a step by the shapes of its ops: without recompute, attention as its masks show. Null when no op shows any. */
export function modelFlopFromShapes(tally: WorkTally): ModelFlop | null {
  const { totals, stepCount, matrixNs, matrixNsByDtype } = tally;
  if (stepCount === 0 || totals.matrixFlop === 0) return null;
  const coveredNs = [...matrixNsByDtype.values()].reduce((sum, ns) => sum + ns, 0);
  return {
    from: 'op-shapes',
    flopPerStep: (totals.matrixFlop - tally.recomputeFlop - tally.repeatedFlop) / stepCount,
    attentionFlopPerStep: tally.attentionFlop / stepCount,
    coverageRatio: matrixNs > 0 ? coveredNs / matrixNs : null,
    parameters: null,
    parametersFrom: null,
    upperBound: tally.hasUpperBounds,
  };
}

/**
 * Model flop of a step as 6·N·tokens, and 12·L·h·s·tokens for attention where the metadata name layers and width. N counts
 * every trained parameter, embeddings too, which compute nothing: too much for small models with large vocabularies.
 */
export function modelFlopFromParameters(
  metadata: readonly RunMetadata[],
  tally: WorkTally,
): ModelFlop | null {
  const stating = metadata.find((m) => m.parameters !== null && m.parameters > 0);
  const stated = stating?.parameters ?? null;
  const parameters = stated ?? tally.parameterCounts.at(0) ?? null;
  const tokens = tokensPerStep(metadata);
  if (parameters === null || tokens === null) return null;
  const layers = firstPositive(metadata.flatMap((m) => LAYER_KEYS.map((key) => m.raw[key])));
  const hidden = firstPositive(metadata.flatMap((m) => HIDDEN_KEYS.map((key) => m.raw[key])));
  const sequence = firstPositive(metadata.map((m) => m.sequenceLength));
  const attention =
    layers !== null && hidden !== null && sequence !== null
      ? ATTENTION_FLOP * layers * hidden * sequence * tokens
      : null;
  return {
    from: 'parameters-and-tokens',
    flopPerStep: FLOP_PER_PARAMETER * parameters * tokens + (attention ?? 0),
    attentionFlopPerStep: attention,
    coverageRatio: null,
    parameters,
    parametersFrom: !stating ? 'gradients' : stating.origin === 'uploaded' ? 'metadata' : 'declared',
    upperBound: false,
  };
}

/** Tokens that one rank trains on in a step, mean over the ranks that say so, else as declared; null when nothing says. */
export function tokensPerStep(metadata: readonly RunMetadata[]): number | null {
  const tokensOf = (origin: MetadataOrigin) =>
    metadata.flatMap(({ tokensPerStep: tokens, ...m }) =>
      m.origin === origin && tokens !== null && tokens > 0 ? [tokens] : [],
    );
  const known = METADATA_ORIGINS.map(tokensOf).find(({ length }) => length > 0) ?? [];
  return known.length === 0 ? null : known.reduce((sum, tokens) => sum + tokens, 0) / known.length;
}

function firstPositive(values: readonly unknown[]): number | null {
  return values.find((v): v is number => typeof v === 'number' && Number.isFinite(v) && v > 0) ?? null;
}
