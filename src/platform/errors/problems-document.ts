import { problemCatalogue, type ProblemDefinition } from './catalogue';

const introduction = `# Problems

Every error answer of the API is \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`code\`, \`detail\`
(what happened and why), \`action\` (what to do), \`instance\` (the request id) and, where several things are wrong at
once, \`errors\`. Codes are stable: decide by \`code\`, show \`detail\` and \`action\`.

Written by \`node dist/src/main.js problems\`; the catalogue is \`src/platform/errors/catalogue\`.`;

/** The text of docs/problems.md: every code with its status, title and advice. Lists, which formatters leave alone. */
export function renderProblemsDocument(): string {
  const problems = Object.entries<ProblemDefinition>(problemCatalogue).sort(([a], [b]) => (a < b ? -1 : 1));
  const statuses = [...new Set(problems.map(([, { status }]) => status))].sort((a, b) => a - b);
  const sections = statuses.map((wanted) => {
    const items = problems
      .filter(([, { status }]) => status === wanted)
      .map(([code, { title, action }]) => `- \`${code}\`: ${title}. ${action}`);
    return [`## ${wanted}`, '', ...items].join('\n');
  });
  return `${[introduction, ...sections].join('\n\n')}\n`;
}
