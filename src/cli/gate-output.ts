import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { type GateEvaluation, renderGateJunit, renderGateMarkdown, renderGateText } from '../presentation';
import { UsageError } from './usage-error';

export const GATE_FORMATS = ['text', 'json', 'markdown', 'junit'] as const;
export type GateFormat = (typeof GATE_FORMATS)[number];

const FORMAT_OF_ENDING: Readonly<Record<string, GateFormat>> = {
  '.txt': 'text',
  '.json': 'json',
  '.md': 'markdown',
  '.xml': 'junit',
};

/** The format that the ending of a file says. Throws UsageError when it says none. */
export function gateFormatOf(path: string): GateFormat {
  const ending = extname(path).toLowerCase();
  if (Object.hasOwn(FORMAT_OF_ENDING, ending)) return FORMAT_OF_ENDING[ending];
  throw new UsageError(`--output ${path}: the file must end in ${Object.keys(FORMAT_OF_ENDING).join(', ')}.`);
}

/** The answer of a gate in a format. */
export function renderGate(evaluation: GateEvaluation, format: GateFormat): string {
  switch (format) {
    case 'text':
      return renderGateText(evaluation);
    case 'json':
      return `${JSON.stringify(evaluation, null, 1)}\n`;
    case 'markdown':
      return renderGateMarkdown(evaluation);
    case 'junit':
      return renderGateJunit(evaluation);
  }
}

/** Writes a file, and the folders that it is in. Throws UsageError when it cannot. */
export async function writeGateFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code ?? ''}).`);
  }
}
