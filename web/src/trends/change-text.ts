import { formatRatio } from '../../../src/presentation/quantity';

/** A change as a share of what was before, with its sign; words where there was nothing before. */
export function changeText({ changeRatio }: { changeRatio: number | null }): string {
  if (changeRatio === null) return 'from nothing';
  return `${changeRatio < 0 ? '−' : '+'}${formatRatio(Math.abs(changeRatio))}`;
}
