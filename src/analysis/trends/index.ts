export { findChangePoints, type DetectedShift } from './change-points';
export {
  comparabilityKey,
  conditionsOfKey,
  differingConditions,
  type RunConditions,
  type SeriesIdentity,
} from './comparability';
export { compareGroups, GROUP_VERDICTS, type GroupComparison } from './compare-groups';
export {
  type ConfigurationChange,
  type ConfigurationKind,
  diffConfiguration,
  flattenFacts,
} from './configuration-change';
export {
  ALERT_METRICS,
  detectChange,
  type DetectedChange,
  isRecovered,
  type MetricHistory,
  type MovedMetric,
} from './detect-change';
export {
  evaluateGate,
  GATE_OUTCOMES,
  GATE_REASONS,
  type GateEvidence,
  type GateOutcome,
  type GateReason,
  type GateResult,
  type GateRuleResult,
  type GateSubject,
} from './evaluate-gate';
export { type FollowedLevel, followLevel, type LevelNews } from './follow-level';
export { type ChangeExplanation, type ComparedGroup, explainChange } from './explain-change';
export { type BaselineRun } from './gate-baseline';
export {
  baselineFor,
  type GateBaseline,
  type GatePolicy,
  gatePolicySchema,
  type GateRule,
  isInScope,
  storedGatePolicySchema,
} from './gate-policy';
export { judgeRun, RUN_VERDICTS, type RunJudgement, type RunVerdict } from './judge-run';
export { NOT_COMPARABLE, type NotComparable, type RungStep, STEP_CLOCKS } from './compare-rungs';
export {
  buildLadder,
  type Ladder,
  RUNG_NOISE_RATIO,
  RUNG_VERDICTS,
  type Rung,
  type RungVerdict,
} from './ladder';
export { type RungInput, type RungReport, rungReportOf } from './rung-input';
export { type Level, levelOf } from './level';
export { DEFAULT_SHIFT_RULES, findLatestShift, type LevelShift, type ShiftRules } from './level-shift';
export { median } from './robust-statistics';
export { collapseRepeats, type SeriesPoint } from './series-point';
export {
  STEP_PART_NAMES,
  STEP_PARTS,
  type StepPart,
  type StepPartName,
  stepParts,
  type StepParts,
  totalNs,
} from './step-parts';
