import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField } from '../run-metadata-fields';
import { deviceNsUnder, findHost, findKernels } from '../trace-evidence';
import { answer, defineOption, evidenceOf } from './define-option';

const FUSED_OP =
  /_scaled_dot_product_(flash|efficient|cudnn|fused)_attention|^aten::_(flash|efficient|cudnn)_attention_forward|flash_attn|memory_efficient_attention/;
const MATH_OP = /^aten::_scaled_dot_product_attention_math/;
const SOFTMAX = /^aten::(_softmax|softmax|_masked_softmax)$/;
const BATCHED_PRODUCT = /^aten::(bmm|baddbmm|_baddbmm_mkl_|matmul|einsum)$/;
/** What attention does to its scores, forward and backward, besides the two products. */
const SCORE_WORK = /^aten::(_softmax|_masked_softmax|_softmax_backward_data|masked_fill_?|_safe_softmax)$/;

/** Attention in one kernel that never writes its scores to memory. */
export const flashAttention = defineOption({
  id: 'flash-attention',
  read(evidence) {
    const field = metadataField(evidence.facts, 'attention', 'attn_implementation', 'flash_attention');
    const op = findHost(evidence, FUSED_OP, [HostEventKind.op]);
    const kernels = findKernels(evidence, (k) => k.class === 'attention');
    if (op || kernels)
      return answer('on', 'flash-attention-on', {
        form: backendOf(`${op?.name ?? ''} ${kernels?.name ?? ''}`),
        evidence: evidenceOf(field, kernels ?? op),
        values: { attentionNs: kernels?.perStepNs ?? null },
      });
    const math = findHost(evidence, MATH_OP, [HostEventKind.op]);
    const softmax = findHost(evidence, SOFTMAX, [HostEventKind.op]);
    const products = findHost(evidence, BATCHED_PRODUCT, [HostEventKind.op]);
    if (math || (softmax && products))
      return answer('off', 'flash-attention-off', {
        form: math ? 'math' : 'eager',
        evidence: evidenceOf(field, math ?? softmax),
        actsOnNs: deviceNsUnder(evidence, (name, kind) => kind === HostEventKind.op && SCORE_WORK.test(name)),
      });
    return answer('not-visible', 'no-attention', { evidence: evidenceOf(field) });
  },
});

function backendOf(names: string): string | null {
  if (/cudnn/i.test(names)) return 'cudnn';
  if (/efficient|fmha_cutlass/i.test(names)) return 'memory-efficient';
  return /flash|pytorch_flash|fmha|attn_fwd/i.test(names) ? 'flash' : null;
}
