import { type DtypeId, parseDtype } from '../../gpu-specs/dtype';
import { isFp32CoreGemm } from '../../timeline/kernel-class';
import { memoize } from '../../attribution/device-activity';
import { HostEventKind } from '../../timeline/rank-timeline';
import { type TraceEvidence } from '../trace-evidence';

/** Operators that multiply matrices; their first tensor tells the format. */
const MATRIX_OP = /^aten::(mm|addmm|bmm|baddbmm|_scaled_mm|convolution|conv[123]d|_scaled_dot_product_\w+)$/;
/** Formats in kernel names, most telling first. cuBLAS' `nvjet` names them by letters. */
const KERNEL_FORMATS: readonly (readonly [DtypeId, RegExp])[] = [
  ['fp8', /e4m3|e5m2|fp8|nvjet_(sm\d+_)?qq/i],
  ['bf16', /bf16|bfloat16|nvjet_(sm\d+_)?t[a-z]t|_BBS_|_BSS_/i],
  ['fp16', /f16(?!32)|half|hmma|nvjet_(sm\d+_)?h[a-z]h|_HHS_|_HSS_|h884|h16816/i],
  ['tf32', /tf32|s1688tf32/i],
];

/**
 * Format of most of the run's matrix work: from the operators' inputs where shapes were recorded, else from kernel names.
 * Null when neither tells.
 */
export function matrixDtype(evidence: TraceEvidence): DtypeId | null {
  return fromOperators(evidence) ?? fromKernels(evidence);
}

function fromOperators({ facts }: TraceEvidence): DtypeId | null {
  const counts = new Map<DtypeId, number>();
  for (const { timeline } of facts.ranks) {
    const { host, strings } = timeline;
    const isMatrixOp = memoize((id) => MATRIX_OP.test(strings.get(id)));
    const dtypeOf = memoize((id) => firstTensorDtype(strings.get(id)) ?? '');
    for (let i = 0; i < host.count; i++) {
      if (host.kind[i] !== HostEventKind.op || host.inputTypesId[i] === 0 || !isMatrixOp(host.nameId[i]))
        continue;
      const dtype = dtypeOf(host.inputTypesId[i]);
      if (dtype !== '') counts.set(dtype, (counts.get(dtype) ?? 0) + 1);
    }
  }
  return most(counts);
}

/** Longest type list that is looked at; the first tensor stands in its first entries. */
const MAX_TYPES_CHARS = 2_000;

/** `["c10::BFloat16", "float", "Scalar"]` is bf16. */
function firstTensorDtype(types: string): DtypeId | null {
  for (const [, name] of types.slice(0, MAX_TYPES_CHARS).matchAll(/"([^"]{1,64})"/g)) {
    const dtype = parseDtype(name);
    if (dtype && FLOATING.has(dtype.id)) return dtype.id;
  }
  return null;
}

const FLOATING: ReadonlySet<DtypeId> = new Set(['fp64', 'fp32', 'tf32', 'bf16', 'fp16', 'fp8', 'fp4']);

function fromKernels({ facts }: TraceEvidence): DtypeId | null {
  const times = new Map<DtypeId, number>();
  for (const { name, class: kind, totalNs } of facts.kernels.byName) {
    if (kind !== 'gemm' && kind !== 'convolution' && kind !== 'attention') continue;
    const dtype = isFp32CoreGemm(name)
      ? 'fp32'
      : (KERNEL_FORMATS.find(([, pattern]) => pattern.test(name))?.[0] ?? null);
    if (dtype) times.set(dtype, (times.get(dtype) ?? 0) + totalNs);
  }
  return most(times);
}

function most(weights: ReadonlyMap<DtypeId, number>): DtypeId | null {
  let best: DtypeId | null = null;
  for (const [dtype, weight] of weights) if (best === null || weight > (weights.get(best) ?? 0)) best = dtype;
  return best;
}
