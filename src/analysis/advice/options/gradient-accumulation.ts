import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField } from '../run-metadata-fields';
import { findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf } from './define-option';

const LOADER = /DataLoader.*__next__/;
const FORWARD = /^DistributedDataParallel\.forward/;
const OPTIMIZER_STEP = /^Optimizer\.step#/;
/** Micro-batches per optimizer step, from counts that a cut at the edge of the recording may falsify by one. */
const MIN_RATIO = 1.5;

/** Several forward and backward passes per optimizer step. */
export const gradientAccumulation = defineOption({
  id: 'gradient-accumulation',
  read(evidence) {
    const field = metadataField(
      evidence.facts,
      'grad_accum',
      'gradient_accumulation_steps',
      'gradient_accumulation',
      'accumulate_grad_batches',
    );
    const written = typeof field?.value === 'number' ? field.value : null;
    if (field && written !== null)
      return written > 1
        ? answer('on', 'accumulation-on', {
            form: String(written),
            evidence: evidenceOf(field),
            values: { microBatches: written },
          })
        : answer('off', 'accumulation-off', { evidence: evidenceOf(field) });

    const annotation = [HostEventKind.annotation];
    const steps = findHost(evidence, OPTIMIZER_STEP, annotation);
    const batches = findHost(evidence, LOADER, annotation) ?? findHost(evidence, FORWARD, annotation);
    if (!steps || !batches) return answer('not-visible', 'accumulation-not-visible');
    const ratio = batches.count / steps.count;
    const microBatches = Math.round(ratio);
    const sources = evidenceOf(null, batches, steps);
    return ratio >= MIN_RATIO
      ? answer('on', 'accumulation-on', {
          form: String(microBatches),
          evidence: sources,
          values: { microBatches },
        })
      : answer('off', 'accumulation-off', { evidence: sources });
  },
});
