import { BadRequestException, ImATeapotException, NotFoundException } from '@nestjs/common';
import { ZodSerializationException, ZodValidationException } from 'nestjs-zod';
import { z, type ZodError } from 'zod';
import { Prisma } from '../database/generated/client';
import { ProblemError } from '../errors';
import { ObjectStoreUnavailable } from '../object-store';
import { QueueUnavailableError } from '../queue';
import { toProblem } from './to-problem';

function zodError(schema: z.ZodType, value: unknown): ZodError {
  return schema.safeParse(value).error as ZodError;
}

function prismaError(originalCode: string, extra: object = {}) {
  return new Prisma.PrismaClientKnownRequestError('secret detail', {
    code: 'P2010',
    clientVersion: '7',
    meta: { driverAdapterError: { cause: { originalCode, ...extra } } },
  });
}

describe('toProblem', () => {
  it.each<[string, unknown, string]>([
    ['an unknown error', new Error('secret detail'), 'internal-error'],
    ['something thrown that is no error', 'secret detail', 'internal-error'],
    ['a route that is not there', new NotFoundException('Cannot GET /x'), 'route-not-found'],
    ['a request that the framework refuses', new BadRequestException('bad'), 'malformed-request'],
    ['an exception that nobody expects', new ImATeapotException('secret detail'), 'internal-error'],
    ['a unique violation', prismaError('23505'), 'conflict'],
    ['a deadlock', prismaError('40P01'), 'conflict'],
    ['a foreign key violation', prismaError('23503'), 'not-found'],
    ['a violation of row-level security', prismaError('42501'), 'not-found'],
    ['a check that failed', prismaError('23514'), 'internal-error'],
    [
      'an object store that is away',
      new ObjectStoreUnavailable('reading', 'secret detail'),
      'object-store-unavailable',
    ],
    ['a queue that is away', new QueueUnavailableError('secret detail'), 'queue-unavailable'],
  ])('maps %s', (_, error, code) => {
    const problem = toProblem(error);
    expect(problem.code).toBe(code);
    expect(`${problem.detail} ${problem.action}`).not.toContain('secret');
    expect(problem.status === 503).toBe(problem.retryAfterS === 5);
  });

  it('leaves problems as they are', () => {
    const problem = new ProblemError('scope-missing', 'x');
    expect(toProblem(problem)).toBe(problem);
  });

  it('never blames the client for an answer of ours that is wrong', () => {
    const broken = zodError(z.object({ a: z.string() }), {});
    expect(toProblem(new ZodSerializationException(broken)).code).toBe('internal-error');
    expect(toProblem(new ZodValidationException(broken)).code).toBe('validation-failed');
    // Thrown by our own code, far from any request.
    expect(toProblem(broken).code).toBe('internal-error');
  });

  it('lists fields by path, unknown ones too', () => {
    const schema = z.strictObject({ list: z.array(z.object({ n: z.number() })) });
    const error = zodError(schema, { list: [{ n: 1 }, { n: 'x' }], more: 1, most: 2 });
    expect(toProblem(new ZodValidationException(error)).errors?.map(({ field }) => field)).toEqual([
      'list.1.n',
      'more',
      'most',
    ]);
    const whole = toProblem(new ZodValidationException(zodError(schema, undefined)));
    expect(whole.errors?.map(({ field }) => field)).toEqual(['body']);
  });

  it('stays small when thousands of fields are wrong', () => {
    const error = zodError(
      z.array(z.number()),
      Array.from({ length: 5000 }, () => 'x'),
    );
    const problem = toProblem(new ZodValidationException(error));
    expect(problem.errors).toHaveLength(50);
    expect(problem.detail).toContain('5000');
  });
});
