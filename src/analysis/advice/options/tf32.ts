import { isFp32CoreGemm } from '../../timeline/kernel-class';
import { metadataField } from '../run-metadata-fields';
import { findKernels } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

const TF32_KERNEL = /tf32/i;
/** First NVIDIA compute capability whose matrix units take 32-bit input. */
const TF32_COMPUTE_MAJOR = 8;
/** A few 32-bit products (a small head, a norm of gradients) are no reason to act. */
const MIN_SHARE = 0.01;

/** 32-bit matrix products on the matrix units, with 10 bits of mantissa. */
export const tf32 = defineOption({
  id: 'tf32',
  read(evidence) {
    const { facts } = evidence;
    const field = metadataField(facts, 'allow_tf32', 'tf32', 'float32_matmul_precision');
    const used = findKernels(evidence, ({ name }) => TF32_KERNEL.test(name));
    if (used) return answer('on', 'tf32-on', { evidence: evidenceOf(field, used) });
    const unused = findKernels(
      evidence,
      ({ name, class: kind }) => kind !== 'collective' && isFp32CoreGemm(name),
    );
    const share = shareOfStep(evidence, unused?.perStepNs ?? 0) ?? 0;
    if (!unused || share < MIN_SHARE)
      return answer('not-visible', 'no-32-bit-products', { evidence: evidenceOf(field) });
    const devices = facts.deviceRanks.flatMap((r) => r.timeline.metadata.devices);
    const hasUnit = devices.some((d) => (d.computeMajor ?? 0) >= TF32_COMPUTE_MAJOR);
    return answer('off', hasUnit ? 'tf32-off' : 'tf32-not-there', {
      evidence: evidenceOf(field, unused),
      actsOnNs: unused.perStepNs,
      values: { share },
    });
  },
});
