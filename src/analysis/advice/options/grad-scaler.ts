import { HostEventKind } from '../../timeline/rank-timeline';
import { metadataField, switchesOn } from '../run-metadata-fields';
import { deviceNsUnder, findHost } from '../trace-evidence';
import { answer, defineOption, evidenceOf } from './define-option';
import { matrixDtype } from './matrix-dtype';

const SCALER_OP = /^aten::_amp_(foreach_non_finite_check_and_unscale_|update_scale_)/;

/** Loss scaling, which fp16 needs and bf16, with the exponent range of fp32, does not. */
export const gradScaler = defineOption({
  id: 'grad-scaler',
  read(evidence) {
    const field = metadataField(evidence.facts, 'grad_scaler', 'gradscaler', 'loss_scale');
    const op = findHost(evidence, SCALER_OP, [HostEventKind.op]);
    if (op || (field && switchesOn(field))) {
      const dtype = matrixDtype(evidence);
      const note =
        dtype === 'bf16'
          ? 'scaler-with-bf16'
          : dtype === 'fp16'
            ? 'scaler-with-fp16'
            : 'scaler-without-16-bit';
      return answer('on', note, {
        evidence: evidenceOf(field, op),
        costNs: op
          ? deviceNsUnder(evidence, (name, kind) => kind === HostEventKind.op && SCALER_OP.test(name))
          : null,
        values: { dtype },
      });
    }
    if (field || evidence.recorded.operators)
      return answer('off', matrixDtype(evidence) === 'fp16' ? 'scaler-missing-for-fp16' : 'scaler-off', {
        evidence: evidenceOf(field),
      });
    return answer('not-visible', 'no-operators');
  },
});
