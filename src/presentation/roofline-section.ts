import { type OpRoofline, type RooflineReport } from '../analysis';
import { type AdviceRow, type AdviceSection } from './advice-sections';
import { formatFigure, formatNs, formatRatio } from './quantity';
import { ANOMALY_WORDING, NO_MODEL_WORDING } from './wording/roofline';

const MAX_OPS = 8;
const MAX_WITHOUT_MODEL = 3;

/** The roofline as a table: the GPU's roofs, time under each, how close the run is, and the ops that take longest. */
export function rooflineSection(roofline: RooflineReport): AdviceSection {
  const { gpu, totals, stepCount, ops, withoutModel, anomalies } = roofline;
  return {
    title: 'Roofline',
    about: gpu.specId === null ? gpu.reason : `${gpu.name ?? gpu.specId}, dense data-sheet peaks`,
    rows: [
      ...gpu.peaks.map((peak) =>
        row(
          `${peak.dtype} ${peak.flopKind} peak`,
          formatFigure({ value: peak.flopPerSec, unit: 'flopPerSec' }),
          ridge(peak.ridgeFlopPerByte),
        ),
      ),
      ...(gpu.memoryBytesPerSec === null
        ? []
        : [row('memory bandwidth', formatFigure({ value: gpu.memoryBytesPerSec, unit: 'bytesPerSec' }), '')]),
      share('under the compute roof', totals.computeRoofNs, totals.computeNs, 'arithmetic is the limit'),
      share('under the memory roof', totals.memoryRoofNs, totals.computeNs, 'moving bytes is the limit'),
      share('without a model', totals.withoutModelNs, totals.computeNs, whyWithoutModel(withoutModel)),
      ...utilisation(roofline),
      ...ops.slice(0, MAX_OPS).map((op) => opRow(op, stepCount)),
      ...anomalies.map((a) =>
        row(
          `! ${a.op}`,
          formatRatio(a.efficiencyRatio),
          `above its ${a.roof} roof: ${ANOMALY_WORDING[a.likelyCause]}`,
          true,
        ),
      ),
    ],
  };
}

function row(label: string, value: string, text: string, strong = false): AdviceRow {
  return { label, value, text, lines: [], strong };
}

function share(label: string, ns: number, ofNs: number, text: string): AdviceRow {
  return row(label, ofNs > 0 ? formatRatio(ns / ofNs) : 'not measurable', text);
}

function ridge(flopPerByte: number | null): string {
  return flopPerByte === null ? '' : `ridge point ${flopPerByte.toFixed(0)} flop per byte`;
}

function whyWithoutModel(withoutModel: RooflineReport['withoutModel']): string {
  return [...new Set(withoutModel.map((w) => NO_MODEL_WORDING[w.reason]))]
    .slice(0, MAX_WITHOUT_MODEL)
    .join('; ');
}

/** MFU and HFU with numerator and denominator stated. */
function utilisation({ utilization: u }: RooflineReport): AdviceRow[] {
  const estimate = u.estimates.find((e) => e.from === u.numerator);
  const numerator = estimate
    ? `${formatFigure({ value: estimate.flopPerStep, unit: 'flop' })} a step from ${estimate.from === 'op-shapes' ? 'operator shapes' : '6 · parameters · tokens'}${estimate.upperBound ? ', an upper bound' : ''}`
    : '';
  const denominator = u.denominator
    ? ` over ${formatFigure({ value: u.denominator.flopPerSec, unit: 'flopPerSec' })} (dense ${u.denominator.dtype})`
    : '';
  const tokens = u.tokensPerStep === null ? '' : `, ${u.tokensPerStep} tokens a step`;
  return [
    u.mfu.value === null
      ? row('MFU', 'not measurable', u.mfu.reason ?? '')
      : row('MFU', formatRatio(u.mfu.value), `${numerator}${denominator}${tokens}`),
    u.hfu.value === null
      ? row('HFU', 'not measurable', u.hfu.reason ?? '')
      : row('HFU', formatRatio(u.hfu.value), 'with what is computed twice'),
  ];
}

function opRow(op: OpRoofline, stepCount: number): AdviceRow {
  const perStep = formatNs(stepCount > 0 ? op.deviceNs / stepCount : op.deviceNs);
  const attained =
    op.roof === 'compute' && op.flopPerSec !== null
      ? formatFigure({ value: op.flopPerSec, unit: 'flopPerSec' })
      : op.bytesPerSec !== null
        ? formatFigure({ value: op.bytesPerSec, unit: 'bytesPerSec' })
        : '';
  const against =
    op.efficiencyRatio === null ? '' : `${formatRatio(op.efficiencyRatio)} of its ${op.roof} roof`;
  return row(`${op.op} ${op.inputDims}`, perStep, [attained, against].filter(Boolean).join(', '));
}
