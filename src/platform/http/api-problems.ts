import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { problemCatalogue, type ProblemCode, problemMediaType } from '../errors';

/** Names, in the OpenAPI document, the problems that are particular to an operation; those of every request go unsaid. */
export function ApiProblems(...codes: ProblemCode[]): MethodDecorator {
  const statuses = [...new Set(codes.map((code) => problemCatalogue[code].status))].sort((a, b) => a - b);
  return applyDecorators(
    ...statuses.map((status) => {
      const here = codes.filter((code) => problemCatalogue[code].status === status);
      const description = here.map((code) => `\`${code}\`: ${problemCatalogue[code].title}.`).join(' ');
      const schema = { $ref: '#/components/schemas/Problem' };
      return ApiResponse({ status, description, content: { [problemMediaType]: { schema } } });
    }),
  );
}
