import { type Report } from '../../../../src/presentation/present-report';

export type Kernel = Report['topKernels'][number];

/** What kernels are sorted by; figures from the largest, names from A. */
export const SORTS = ['time', 'launches', 'each', 'name'] as const;
export type Sort = (typeof SORTS)[number];

const COMPARE: Readonly<Record<Sort, (a: Kernel, b: Kernel) => number>> = {
  time: (a, b) => b.totalNs - a.totalNs,
  launches: (a, b) => b.count - a.count,
  each: (a, b) => meanNs(b) - meanNs(a),
  name: (a, b) => a.name.localeCompare(b.name),
};

/** Mean time of one launch. */
export const meanNs = ({ totalNs, count }: Pick<Kernel, 'totalNs' | 'count'>) => totalNs / Math.max(1, count);

export interface KernelChoice {
  text: string;
  /** Empty for all. */
  kind: string;
  sort: Sort;
  /** Whether those of one class stand together, the class that takes longest first. */
  isGrouped: boolean;
}

/** The kernels that are chosen, in the order that is. */
export function chooseKernels(
  kernels: readonly Kernel[],
  { text, kind, sort, isGrouped }: KernelChoice,
): Kernel[] {
  const wanted = text.toLowerCase();
  const chosen = kernels.filter(
    (kernel) => (kind === '' || kernel.kind === kind) && kernel.name.toLowerCase().includes(wanted),
  );
  const classNs = new Map<string, number>();
  for (const one of chosen) classNs.set(one.kind, (classNs.get(one.kind) ?? 0) + one.totalNs);
  const byClass = (a: Kernel, b: Kernel) =>
    (classNs.get(b.kind) ?? 0) - (classNs.get(a.kind) ?? 0) || a.kind.localeCompare(b.kind);
  return chosen.sort((a, b) => (isGrouped ? byClass(a, b) : 0) || COMPARE[sort](a, b));
}
