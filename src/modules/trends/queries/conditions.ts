import { z } from 'zod';
import { comparabilityKey, conditionsOfKey } from '../../../analysis';

/** One thing that makes the runs of a series comparable, such as gpu: h200. */
export const conditionSchema = z.object({ name: z.string(), value: z.string() }).meta({ id: 'RunCondition' });

/** The GPU of a comparability key; null where it does not tell. */
export function gpuOfKey(key: string): string | null {
  return conditionsOfKey(key).find(({ name }) => name === 'gpu')?.value ?? null;
}

/** The part of a comparability key that says which GPU it was, whichever way its name is written. */
export function gpuConditionOf(gpuName: string): string {
  return comparabilityKey({ gpu: gpuName });
}
