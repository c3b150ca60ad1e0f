import { MEMORY_BOUND_CLASSES } from '../../timeline/kernel-class';
import { metadataField, switchesOn } from '../run-metadata-fields';
import { findHost, findKernels } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

const COMPILED =
  /^Torch-Compiled Region|^CompiledFunction$|^## Call CompiledFxGraph|^TorchDynamo Cache Lookup/;
const GENERATED_KERNEL = /^triton_(poi|red|per|tem|mm|for|split_scan)_/;
/** Kernels of the optimizer, which `torch.compile(model)` leaves alone. */
const OPTIMIZER_KERNEL = /multi_tensor_apply|FusedOptimizer|adam|lamb(?!da)/i;
/** Launch gaps below this share of the step are within run-to-run noise (corpus: 1–5 % where the device is the limit). */
const NOTABLE_GAPS = 0.05;
/** Fusable kernel time below this share of the step is what a compiled model keeps as well (corpus: 5–15 %). */
const LITTLE_TO_FUSE = 0.15;

/** `torch.compile`: operators fused into generated kernels. */
export const compile = defineOption({
  id: 'compile',
  read(evidence) {
    const { recorded } = evidence;
    const field = metadataField(evidence.facts, 'compile', 'torch_compile', 'compiled');
    const region = findHost(evidence, COMPILED);
    const generated = findKernels(evidence, ({ name }) => GENERATED_KERNEL.test(name));
    const form = field && typeof field.value === 'string' ? field.value.slice(0, 40) : null;
    if (region || generated)
      return answer('on', 'compile-on', { form, evidence: evidenceOf(field, region, generated) });
    if (field && switchesOn(field))
      // The trace could show it and does not: every graph fell back to eager operators.
      return recorded.operators && recorded.kernels
        ? answer('off', 'compile-without-effect', { evidence: evidenceOf(field) })
        : answer('on', 'compile-on', { form, evidence: evidenceOf(field) });
    if (!field && !(recorded.operators && recorded.kernels))
      return answer('not-visible', 'no-kernels-and-operators');
    const fusable = findKernels(
      evidence,
      (k) => MEMORY_BOUND_CLASSES.has(k.class) && !OPTIMIZER_KERNEL.test(k.name),
    );
    const gapNs = evidence.facts.step?.idle.launchGapNs ?? 0;
    const gapShare = shareOfStep(evidence, gapNs) ?? 0;
    const share = shareOfStep(evidence, fusable?.perStepNs ?? 0) ?? 0;
    const note =
      gapShare >= NOTABLE_GAPS
        ? 'compile-would-cut-launches'
        : share < LITTLE_TO_FUSE
          ? 'compile-little-to-fuse'
          : 'compile-would-fuse';
    return answer('off', note, {
      evidence: evidenceOf(field, fusable),
      actsOnNs: (fusable?.perStepNs ?? 0) + gapNs,
      values: { share, gapShare },
    });
  },
});
