import { type Finding } from '../../analysis';

/** The words for the findings of one rule. */
export interface FindingWording {
  title: string;
  /** One or two sentences with the finding's own figures. */
  explain(finding: Finding): string;
  /** How to see that the fix worked. */
  verify: string;
}

/** Value of one of the finding's figures; null when it is absent or not measurable. */
export function figureValue(finding: Finding, id: string): number | null {
  return finding.evidence.figures.find((f) => f.id === id)?.value ?? null;
}
