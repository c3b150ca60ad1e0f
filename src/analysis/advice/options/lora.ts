import { metadataField, metadataNumber, switchesOn } from '../run-metadata-fields';
import { findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf } from './define-option';

const ADAPTER = /\blora|peft[/.]|LoraLayer|LoraModel|nn\.Module: Lora/i;

/** Adapters: a few trained parameters beside frozen ones. */
export const lora = defineOption({
  id: 'lora',
  read(evidence) {
    const { facts, recorded } = evidence;
    const field = metadataField(facts, 'lora', 'peft', 'adapter', 'lora_r', 'lora_rank');
    const trainable = metadataNumber(facts, 'trainable_params', 'trainable_parameters');
    const all = metadataNumber(facts, 'params', 'parameters', 'num_parameters');
    const found = findHost(evidence, ADAPTER);
    const fewer = trainable !== null && all !== null && trainable < all;
    const values = { trainableShare: trainable !== null && all ? trainable / all : null };
    const trainableField = metadataField(facts, 'trainable_params', 'trainable_parameters');
    if (found || fewer || (field && switchesOn(field)))
      return answer('on', 'lora-on', { evidence: evidenceOf(field ?? trainableField, found), values });
    if (field || trainable !== null || recorded.python)
      return answer('off', 'lora-off', { evidence: evidenceOf(field ?? trainableField) });
    // Frozen parameters look like trained ones in operators and kernels.
    return answer('not-visible', 'lora-not-visible');
  },
});
