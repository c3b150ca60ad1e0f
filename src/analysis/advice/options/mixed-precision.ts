import { parseDtype } from '../../gpu-specs/dtype';
import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField } from '../run-metadata-fields';
import { deviceNsUnder, findHost, findKernels } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';
import { matrixDtype } from './matrix-dtype';

/** First NVIDIA compute capability with bf16 matrix units (Ampere). */
const BF16_COMPUTE_MAJOR = 8;
/** Casts above this share of the step are worth fusing away (corpus: up to 8 % in eager autocast). */
const DEAR_CASTS = 0.05;
const CAST_OP = /^aten::_to_copy$/;
/** A generated kernel that does nothing but convert. */
const CAST_KERNEL = /^triton_poi_fused__to_copy(_t|_view|_clone)?_\d+$/;
const AUTOCAST_NODE = /^ToCopyBackward0$/;

/** Matrix work in 16 bits or fewer, with what the conversions cost. */
export const mixedPrecision = defineOption({
  id: 'mixed-precision',
  read(evidence) {
    const { facts } = evidence;
    const field = metadataField(facts, 'dtype', 'precision', 'amp', 'mixed_precision');
    const written = typeof field?.value === 'string' ? (parseDtype(field.value)?.id ?? null) : null;
    const traced = matrixDtype(evidence);
    const dtype = traced ?? written;
    const autocast = findHost(evidence, AUTOCAST_NODE, [HostEventKind.op]);
    const sources = evidenceOf(field, autocast);
    if (dtype === null) return answer('not-visible', 'dtype-not-visible', { evidence: sources });
    if (dtype === 'fp32' || dtype === 'tf32' || dtype === 'fp64') {
      const matrices = findKernels(evidence, (k) => k.class === 'gemm' || k.class === 'convolution');
      const ignored = written !== null && written !== dtype && (written === 'bf16' || written === 'fp16');
      return answer('off', ignored ? 'precision-without-effect' : 'precision-32-bit', {
        form: dtype,
        evidence: evidenceOf(field, matrices),
        actsOnNs: matrices?.perStepNs ?? null,
        values: { written },
      });
    }
    const casts = findKernels(evidence, ({ name }) => CAST_KERNEL.test(name));
    const castNs =
      deviceNsUnder(evidence, (name, kind) => kind === HostEventKind.op && CAST_OP.test(name)) +
      (casts?.perStepNs ?? 0);
    const share = shareOfStep(evidence, castNs) ?? 0;
    const note =
      dtype === 'fp16' && hasBf16(evidence.facts.deviceRanks)
        ? 'precision-fp16-where-bf16-is'
        : share >= DEAR_CASTS
          ? 'precision-dear-casts'
          : 'precision-16-bit';
    return answer('on', note, {
      form: autocast ? `${dtype} autocast` : dtype,
      evidence: sources,
      costNs: evidence.recorded.kernels ? castNs : null,
      values: { dtype, share },
    });
  },
});

function hasBf16(
  ranks: readonly { timeline: { metadata: { devices: readonly { computeMajor: number | null }[] } } }[],
) {
  return ranks.some((r) =>
    r.timeline.metadata.devices.some((d) => (d.computeMajor ?? 0) >= BF16_COMPUTE_MAJOR),
  );
}
