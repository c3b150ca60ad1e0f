import { type z } from 'zod';
import { variableGroups } from './environment';
import { variableNote } from './variable';

const heading = [
  '# Configuration of Stallscope. Written by `node dist/src/main.js env-example`; the schema is src/platform/config.',
  '# A variable that is commented out may be left out; what follows it is its default, where it has one.',
];

/** The text of `.env.example`: every variable with its explanation and default. */
export function renderEnvExample(): string {
  const groups = Object.entries(variableGroups).map(([title, variables]) =>
    [`# --- ${title} `.padEnd(100, '-'), ...Object.entries(variables).map(renderVariable)].join('\n\n'),
  );
  return `${[heading.join('\n'), ...groups].join('\n\n')}\n`;
}

function renderVariable([name, schema]: [string, z.ZodType]): string {
  const { description, fallback } = variableNote(schema);
  const mayBeLeftOut = schema.safeParse(undefined).success;
  return `# ${description}\n${mayBeLeftOut ? '#' : ''}${name}=${fallback ?? ''}`;
}
