export { problemCatalogue, type ProblemCode, type ProblemDefinition } from './catalogue';
export { isProblem, ProblemError, type ProblemItem, type ProblemOptions } from './problem-error';
export { renderProblemsDocument } from './problems-document';
export { type Problem, problemMediaType, problemSchema, renderProblem } from './render-problem';
