import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error';

/** Reads a JSON object from a file. Throws UsageError when there is none; `what` says what it must be. */
export async function readJsonFile(path: string, what: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: cannot be read as JSON (${error instanceof Error ? error.message : ''}).`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${path}: must be one JSON object ${what}.`);
}

/** Whether a value is a JSON object: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
