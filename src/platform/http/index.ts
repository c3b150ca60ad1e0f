export { ApiProblems } from './api-problems';
export { configureHttp, type HttpOptions } from './configure-http';
export { ContentTag } from './content-tag';
export { namesTag } from './if-none-match';
export { buildOpenApiDocument, serveOpenApi } from './openapi';
export { isPrintableLine, printableLine } from './printable-line';
export { isPublic, Public, scopesExtension } from './public';
export { requestIdOf } from './request-id';
export { toProblem } from './to-problem';
