/** The only door into the analysis core. */
export { analyzeRun, type AnalyzeOptions, type ArtifactInput } from './analyze-run';
export { type ReadLimits } from './formats/artifact-format';
export * from './report-schema';
export { type ProblemKind, type ProblemSeverity } from './timeline/problem';
export { InputRefused, type RefusalCode } from './timeline/input-refused';
