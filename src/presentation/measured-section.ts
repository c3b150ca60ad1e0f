import { type MeasuredKernel, type MeasuredKernels } from '../analysis';
import { type AdviceRow, type AdviceSection } from './advice-sections';
import { formatFigure, formatNs, formatRatio } from './quantity';
import { disagreementText } from './wording/measured';

const MAX_KERNELS = 12;

/** Measured points of the roofline: each kernel, how close it is to its roof, and where the model says otherwise. */
export function measuredSection({ gpu, kernels, kernelsLeftOut }: MeasuredKernels): AdviceSection {
  const left = kernelsLeftOut + Math.max(0, kernels.length - MAX_KERNELS);
  return {
    title: 'Measured kernels (Nsight Compute)',
    about: gpu.specId === null ? gpu.reason : `${gpu.name ?? gpu.specId}, against dense data-sheet peaks`,
    rows: [
      ...kernels.slice(0, MAX_KERNELS).flatMap(kernelRows),
      ...(left > 0 ? [row('further kernels', String(left), '')] : []),
    ],
  };
}

/** What tells kernels of a framework apart stands behind what they all share. */
export function shortKernelName(name: string): string {
  return name.replace(/^void |\b(?:at|native)::|<unnamed>::|\(anonymous namespace\)::/g, '');
}

function kernelRows(kernel: MeasuredKernel): AdviceRow[] {
  const { durationNs, disagreements } = kernel;
  const name = shortKernelName(kernel.name);
  return [
    row(name, durationNs === null ? 'not measured' : formatNs(durationNs), describe(kernel)),
    ...disagreements.map((d) => row(`! ${d.about} of ${name}`, formatFactor(d), disagreementText(d), true)),
  ];
}

/** What was measured, then where the kernel stands in the trace. */
function describe(kernel: MeasuredKernel): string {
  const { flopPerSec, bytesPerSec, efficiencyRatio, roof, memoryRatio, computeRatio, occupancyRatio } =
    kernel;
  const against =
    efficiencyRatio !== null && roof !== null
      ? `${formatRatio(efficiencyRatio)} of its ${roof} roof`
      : [
          computeRatio === null ? '' : `multiprocessors ${formatRatio(computeRatio)} of their peak`,
          memoryRatio === null ? '' : `memory ${formatRatio(memoryRatio)} of its peak`,
        ];
  return [
    flopPerSec === null || kernel.flop === 0 ? '' : formatFigure({ value: flopPerSec, unit: 'flopPerSec' }),
    bytesPerSec === null ? '' : formatFigure({ value: bytesPerSec, unit: 'bytesPerSec' }),
    against,
    occupancyRatio === null ? '' : `occupancy ${formatRatio(occupancyRatio)}`,
    place(kernel),
  ]
    .flat()
    .filter(Boolean)
    .join(', ');
}

function place({ inTrace, modelled }: MeasuredKernel): string {
  if (!inTrace) return '';
  const op = modelled ? ` by ${modelled.op} ${modelled.inputDims}` : '';
  return `${inTrace.count} times in the trace${op}`;
}

function formatFactor({ measured, modelled }: MeasuredKernel['disagreements'][number]): string {
  return `${(measured / modelled).toFixed(2)} ×`;
}

function row(label: string, value: string, text: string, strong = false): AdviceRow {
  return { label, value, text, lines: [], strong };
}
