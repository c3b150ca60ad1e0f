import { problemCatalogue, type ProblemDefinition } from './catalogue';

const introduction = `# Problems

Every error answer of the API is \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`code\`, \`detail\`
(what happened and why), \`action\` (what to do), \`instance\` (the request id) and, where several things are wrong at
once, \`errors\`. Codes are stable: decide by \`code\`, show \`detail\` and \`action\`.

Written by \`node dist/src/main.js problems\`; the catalogue is \`src/platform/errors/catalogue\`.
`;

/** The text of docs/problems.md: every code with its status, title and advice. */
export function renderProblemsDocument(): string {
  const rows = Object.entries<ProblemDefinition>(problemCatalogue)
    .sort(([a, left], [b, right]) => left.status - right.status || (a < b ? -1 : 1))
    .map(([code, { status, title, action }]) => `| \`${code}\` | ${status} | ${title} | ${action} |`);
  return [
    introduction,
    '| Code | Status | What is wrong | What to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
