/** The only door into the analysis core. */
export { analyzeRun, type AnalyzeOptions } from './analyze-run';
export { type ArtifactInput } from './read-artifact';
export * from './advice';
export { METRIC_CATALOG, type MetricEntry, RULE_CATALOG, type RuleEntry } from './catalog';
export * from './estimates';
export { type HostProfileReport } from './evidence/host-profile-schema';
export { type ReadLimits } from './formats/artifact-format';
export { describeUnknown, SNIFF_BYTES, sniffFormat } from './formats/sniff';
export * from './report-schema';
export { FIGURE_UNITS } from './units/figure';
export { type MeasuredKernel, type MeasuredKernels } from './roofline/measured-schema';
export { type OpRoofline, type RooflineReport } from './roofline/roofline-schema';
export { HOST_ACTIVITIES, type HostActivityKind } from './timeline/function-activity';
export { type ProblemKind, type ProblemSeverity } from './timeline/problem';
export { ByteSourceErrorCode, InputRefused, type RefusalCode } from './timeline/input-refused';
export * from './trends';
export { METRICS } from './metrics';
export { type Metric } from './metrics/define-metric';
