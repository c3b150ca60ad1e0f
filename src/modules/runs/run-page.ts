import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../platform/http';
import { type RunListQuery } from './run-list-query';

const largestMicros = Number.MAX_SAFE_INTEGER;

/** Where a page ends: at a run of a time, in µs since 1970, or at a value of the metric that the list is sorted by. */
export const runPlaceSchema = z.union([
  z.strictObject({ micros: z.int().min(0).max(largestMicros), runId: z.uuid() }),
  z.strictObject({ value: z.number(), analysisId: z.uuid() }),
]);
export type RunPlace = z.infer<typeof runPlaceSchema>;

type Question = Omit<RunListQuery, 'limit' | 'cursor'>;

/** Where the wanted page starts; undefined for the first. Throws `cursor-invalid`. */
export function placeOf({ limit: _, cursor, ...question }: RunListQuery): RunPlace | undefined {
  if (cursor === undefined) return undefined;
  const isByMetric = question.sort.by === 'metric';
  const place = runPlaceSchema.refine((found) => isByMetric || 'micros' in found);
  return decodeCursor(cursor, inOrder(question), place);
}

/** The cursor of the page that starts after this place. */
export function cursorAfter(place: RunPlace, { limit: _, cursor: __, ...question }: RunListQuery): string {
  return encodeCursor(place, inOrder(question));
}

/** The parameters by name: the order in which a client gives them asks nothing. */
function inOrder(question: Question): unknown {
  return Object.entries(question).sort(([a], [b]) => (a < b ? -1 : 1));
}
