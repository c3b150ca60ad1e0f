import { HostEventKind, NO_ID } from '../../timeline/rank-timeline';
import { metadataField, peakMemoryShare, switchesOn } from '../run-metadata-fields';
import { findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

/** Less repeated forward time than this is a single recomputed operator, not checkpointing. */
const MIN_SHARE = 0.005;
/** Activations rarely more than double the peak, so below this share of the memory a run fits without checkpointing. */
const FREE_PEAK_SHARE = 0.4;

const CHECKPOINT_OP = /CheckpointFunction(Backward)?$|^checkpoint_sequential/;
const BACKWARD_NODE = /^autograd::engine::evaluate_function: /;
const COMPILED = /^CompiledFunction|^Torch-Compiled Region/;

/** Activations computed a second time in the backward pass instead of being kept. */
export const activationCheckpointing = defineOption({
  id: 'activation-checkpointing',
  read(evidence) {
    const { facts } = evidence;
    const field = metadataField(
      facts,
      'activation_checkpointing',
      'gradient_checkpointing',
      'checkpointing',
      'recompute',
    );
    const op = findHost(evidence, CHECKPOINT_OP, [HostEventKind.op]);
    const recomputeNs = facts.step?.recomputeNs ?? 0;
    const share = shareOfStep(evidence, recomputeNs) ?? 0;
    const form =
      field && typeof field.value === 'string' && switchesOn(field) ? field.value.slice(0, 40) : null;
    const backward = findHost(evidence, BACKWARD_NODE, [HostEventKind.op]);
    // Repeated operators stand inside backward nodes: the node is what a person can look for.
    const sources = evidenceOf(field, op ?? (share >= MIN_SHARE ? backward : null));
    if (share >= MIN_SHARE || op || (field && switchesOn(field))) {
      const peak = peakMemoryShare(facts);
      const free = peak !== null && peak < FREE_PEAK_SHARE;
      return answer('on', free ? 'checkpointing-with-free-memory' : 'checkpointing-on', {
        form,
        evidence: sources,
        costNs: share >= MIN_SHARE ? recomputeNs : null,
        values: { peakMemoryShare: peak },
      });
    }
    const compiled = findHost(evidence, COMPILED) !== null;
    const numbered = facts.ranks.some(({ timeline }) =>
      timeline.host.sequenceNumber.some((n) => n !== NO_ID),
    );
    // A compiled backward pass may compute again inside its own kernels.
    if (field || (backward && numbered && !compiled))
      return answer('off', 'checkpointing-off', { evidence: evidenceOf(field, backward) });
    return answer('not-visible', compiled ? 'checkpointing-hidden-by-compile' : 'no-backward-operators');
  },
});
