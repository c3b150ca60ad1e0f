import { metadataField, switchesOn } from '../run-metadata-fields';
import { findHost, findKernels } from '../trace-evidence';
import { answer, defineOption, evidenceOf } from './define-option';

/** Kernels that turn stored weights back into numbers: bitsandbytes, GPTQ, AWQ, HQQ, Marlin. */
const DEQUANTISE = /dequant|kgemm_4bit|kgemm_nf4|gptq|awq_|marlin|hqq_/i;
const QUANTISED_OP =
  /bitsandbytes|^bnb::|MatMul4Bit|MatMul8bitLt|_weight_int(4|8)pack_mm|^aten::_int_mm|torchao::/;

/** Weights stored in eight bits or fewer and expanded when used. */
export const quantisation = defineOption({
  id: 'quantisation',
  read(evidence) {
    const { facts, recorded } = evidence;
    const field = metadataField(
      facts,
      'quantization',
      'quantisation',
      'load_in_4bit',
      'load_in_8bit',
      'quantized',
    );
    const op = findHost(evidence, QUANTISED_OP);
    const kernels = findKernels(evidence, ({ name }) => DEQUANTISE.test(name));
    if (op || kernels || (field && switchesOn(field))) {
      return answer('on', 'quantisation-on', {
        form: field && typeof field.value === 'string' ? field.value.slice(0, 40) : null,
        evidence: evidenceOf(field, kernels, op),
        costNs: kernels?.perStepNs ?? null,
      });
    }
    if (field || (recorded.kernels && recorded.operators))
      return answer('off', 'quantisation-off', {
        evidence: evidenceOf(field),
        values: { kernelNames: facts.kernels.byName.length },
      });
    return answer('not-visible', 'no-kernels-and-operators');
  },
});
