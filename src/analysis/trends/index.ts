export { type DetectedShift, findChangePoints } from './change-points';
export { DEFAULT_SHIFT_RULES, findLatestShift, type LevelShift, type ShiftRules } from './level-shift';
