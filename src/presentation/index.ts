/** Words for what the analysis found; see docs/adr/0005-words-outside-the-core.md. */
export {
  PRESENTED_METRICS,
  PRESENTED_RULES,
  presentedMetricSchema,
  presentedRuleSchema,
} from './present-catalog';
export { presentReport, reportSchema, type PresentedFinding, type Report } from './present-report';
export {
  ladderTableSchema,
  presentedRungSchema,
  presentLadder,
  type PresentedLadder,
} from './present-ladder';
export { renderEstimate } from './render-estimate';
export * from './gates';
export { reportJsonSchema } from './report-json-schema';
export { renderLadder } from './render-ladder';
export { renderMarkdown } from './render-markdown';
export { renderTerminal, type TerminalOptions } from './render-terminal';
export { formatBytes, formatFigure, formatNs, formatRatio } from './quantity';
