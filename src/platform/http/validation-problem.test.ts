import { z } from 'zod';
import { validationProblem } from './validation-problem';

const schema = z.strictObject({
  name: z.string(),
  at: z.iso.datetime(),
  id: z.uuid(),
  byMetric: z.record(
    z.string().refine((id) => id === 'mfu', 'must be mfu'),
    z.number(),
  ),
});

describe('a request that is not valid', () => {
  it('is told for each field what to write', () => {
    const { error } = schema.safeParse({ at: '2026-11-30', id: 'x', byMetric: { 'step-timee': 1 }, more: 1 });
    expect(error && validationProblem(error).errors).toEqual([
      { field: 'name', message: 'is missing' },
      { field: 'at', message: 'must be a date and time with zone, such as 2026-11-30T12:00:00Z' },
      { field: 'id', message: 'must be an id, which is a UUID' },
      { field: 'byMetric.step-timee', message: 'must be mfu' },
      { field: 'more', message: 'is not a known field' },
    ]);
  });
});
