import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField } from '../run-metadata-fields';
import { deviceNsUnder, findHost, findKernels, launchGapNsUnder } from '../trace-evidence';
import { answer, defineOption, evidenceOf, shareOfStep } from './define-option';

const OPTIMIZER_STEP = /^Optimizer\.step#/;
const FUSED = /^aten::_fused_(adamw?|sgd|adagrad)_/;
/** Fused kernels of other libraries: Apex, DeepSpeed, Transformer Engine. */
const FUSED_KERNEL = /FusedOptimizerTensorListMetadata|AdamFunctor|FusedAdam|DistAdam|LAMBStage/;
const EIGHT_BIT_KERNEL = /kOptimizerStatic8bit|kPreconditionOptimizer.*8bit|optimizer.*8bit/i;
/** The update itself; `_foreach_add_` of step counters is there in every form. */
const FOREACH = /^aten::_foreach_(lerp|addcdiv|addcmul|mul)_?$/;
const SINGLE = /^aten::(addcdiv|addcmul|lerp)_$/;
/** An optimizer that takes less of the step gains nothing that could be measured. */
const LITTLE_SHARE = 0.03;

/** How the optimizer updates: one fused kernel, one kernel per operation over all tensors, or a loop over tensors. */
export const fusedOptimizer = defineOption({
  id: 'fused-optimizer',
  read(evidence) {
    const field = metadataField(evidence.facts, 'optimizer', 'optim');
    const written = typeof field?.value === 'string' ? formIn(field.value) : null;
    const ops = [HostEventKind.op];
    const fused =
      findHost(evidence, FUSED, ops) ?? findKernels(evidence, ({ name }) => FUSED_KERNEL.test(name));
    const eightBit = findKernels(evidence, ({ name }) => EIGHT_BIT_KERNEL.test(name));
    const foreach = findHost(evidence, FOREACH, ops);
    const single = findHost(evidence, SINGLE, ops);
    const form = eightBit ? '8-bit' : fused ? 'fused' : foreach ? 'foreach' : single ? 'for-loop' : written;
    const seen = eightBit ?? fused ?? foreach ?? single;
    if (form === null) return answer('not-visible', 'no-optimizer', { evidence: evidenceOf(field) });

    const timeNs = optimizerNs();
    const share = shareOfStep(evidence, timeNs) ?? 0;
    const details = { form, evidence: evidenceOf(field, seen), values: { share, form } };
    if (form === 'fused' || form === '8-bit')
      return answer('on', 'optimizer-fused', { ...details, costNs: timeNs });
    return answer('off', share < LITTLE_SHARE ? 'optimizer-little-to-gain' : 'optimizer-not-fused', {
      ...details,
      actsOnNs: timeNs,
    });

    /** What its annotation launched, and what the device waited for the launches; without one, the kernels of its class. */
    function optimizerNs(): number | null {
      const inStep = (name: string): boolean => OPTIMIZER_STEP.test(name);
      if (findHost(evidence, OPTIMIZER_STEP, [HostEventKind.annotation]))
        return deviceNsUnder(evidence, inStep) + launchGapNsUnder(evidence, inStep);
      return findKernels(evidence, (k) => k.class === 'optimizer')?.perStepNs ?? null;
    }
  },
});

function formIn(text: string): string | null {
  return (
    /\b(fused|foreach|for-loop|8-?bit)\b/i.exec(text)?.[1].toLowerCase().replace('8bit', '8-bit') ?? null
  );
}
