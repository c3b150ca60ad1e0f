import { z } from 'zod';

/** What the configuration reference says about a variable. */
export interface VariableNote {
  description: string;
  /** As it would be written in the environment. */
  fallback?: string;
}

const noteOf = z.registry<VariableNote>();

/** A variable that must be set. `schema` reads the text of the environment. */
export function required<T extends z.ZodType>(description: string, schema: T): T {
  noteOf.add(schema, { description });
  return schema;
}

/** A variable that may be absent, and is `undefined` then. */
export function optional<T extends z.ZodType>(description: string, schema: T): z.ZodOptional<T> {
  const wrapped = schema.optional();
  noteOf.add(wrapped, { description });
  return wrapped;
}

/** A variable with a default, written as it would be in the environment. */
export function withDefault<T extends z.ZodType<unknown, string>>(
  description: string,
  fallback: string,
  schema: T,
): z.ZodPrefault<T> {
  const wrapped = schema.prefault(fallback as z.input<T>);
  noteOf.add(wrapped, { description, fallback });
  return wrapped;
}

/** The note given when the variable was declared; throws for a schema declared without one. */
export function variableNote(schema: z.ZodType): VariableNote {
  const note = noteOf.get(schema);
  if (!note) throw new Error('Declare the variable with required(), optional() or withDefault().');
  return note;
}
