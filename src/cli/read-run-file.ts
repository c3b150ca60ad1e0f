import { isObject, readJsonFile } from './read-json-file';
import { UsageError } from './usage-error';

/** Reads what is said of a run from a file. Throws UsageError when there is none; what its fields mean the server knows. */
export async function readRunFile(path: string): Promise<Record<string, unknown>> {
  const value = await readJsonFile(path, 'with fields of POST /v1/runs');
  // The command adds to it.
  if (value.metadata !== undefined && !isObject(value.metadata)) {
    throw new UsageError(`${path}: the field metadata must be a JSON object.`);
  }
  return value;
}
