import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error';

/** Reads a JSON object from a file. Throws UsageError when there is none; what its fields mean the server knows. */
export async function readRunFile(path: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: cannot be read as JSON (${error instanceof Error ? error.message : ''}).`);
  }
  if (!isObject(value)) {
    throw new UsageError(`${path}: must be one JSON object with fields of POST /v1/runs.`);
  }
  // The command adds to it.
  if (value.metadata !== undefined && !isObject(value.metadata)) {
    throw new UsageError(`${path}: the field metadata must be a JSON object.`);
  }
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
