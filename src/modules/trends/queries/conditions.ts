import { z } from 'zod';
import { comparabilityKey } from '../../../analysis';

/** One thing that makes the runs of a series comparable, such as gpu: h200. */
export const conditionSchema = z.object({ name: z.string(), value: z.string() }).meta({ id: 'RunCondition' });
export type Condition = z.infer<typeof conditionSchema>;

const CUSTOM = 'custom:';

/** The conditions that a comparability key was made of; `custom` is the word that a client gave instead. */
export function conditionsOfKey(key: string): Condition[] {
  if (key.startsWith(CUSTOM)) return [{ name: 'custom', value: key.slice(CUSTOM.length) }];
  return key
    .split(';')
    .filter((part) => part !== '')
    .map((part) => {
      const [name, ...value] = part.split('=');
      return { name, value: value.join('=') };
    });
}

/** The GPU of a comparability key; null where it does not tell. */
export function gpuOfKey(key: string): string | null {
  return conditionsOfKey(key).find(({ name }) => name === 'gpu')?.value ?? null;
}

/** The part of a comparability key that says which GPU it was, whichever way its name is written. */
export function gpuConditionOf(gpuName: string): string {
  return comparabilityKey({ gpu: gpuName });
}
