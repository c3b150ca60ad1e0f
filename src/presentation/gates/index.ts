export { type GateEvaluation, gateEvaluationSchema, type GateRuleAnswer } from './gate-evaluation';
export { presentGate } from './present-gate';
export { renderGateJunit } from './render-gate-junit';
export { renderGateMarkdown } from './render-gate-markdown';
export { renderGateText } from './render-gate-text';
