import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';

/** Longest history in one answer, days. */
const MOST_DAYS = 400;

export class UsageQueryDto extends createZodDto(
  z.strictObject({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_DAYS)
      .default(30)
      .describe('How many days of history, today included.'),
  }),
) {}

const bytes = (description: string, example: number) => z.int().describe(description).meta({ example });

export class UsageDto extends createZodDto(
  z.object({
    limits: z
      .object({
        storedBytes: bytes('Bytes that the artifacts may take up.', 10_995_116_277_760),
        runsPerDay: z.int().describe('Runs created on one day, in UTC.').meta({ example: 10_000 }),
        queuedRuns: z
          .int()
          .describe('Runs that may wait for their analysis before no more are taken.')
          .meta({ example: 5_000 }),
        concurrentAnalyses: z.int().describe('Analyses at the same time.').meta({ example: 4 }),
        retentionDays: z
          .int()
          .describe('Finished runs that are older are deleted with their files and reports.')
          .meta({ example: 365 }),
      })
      .describe('The limits in force; the operator of the installation sets them.'),
    stored: z.object({
      bytes: bytes('The same content counts once, an awaited upload as it was declared.', 73_014_444_032),
      objects: z.int().meta({ example: 4_096 }),
    }),
    runs: z.object({
      today: z.int().describe('Created today, in UTC.').meta({ example: 17 }),
      queued: z.int().meta({ example: 3 }),
      analyzing: z.int().meta({ example: 2 }),
    }),
    days: z
      .array(
        z.object({
          day: z.iso.date().meta({ example: '2026-11-30' }),
          runs: z.int().describe('Created on this day.').meta({ example: 17 }),
          uploadedBytes: bytes('Sent by clients; content that was there already is not sent.', 1_843_200),
          analyses: z.int().describe('That came to an end, well or not.').meta({ example: 15 }),
          analysisS: z.number().describe('Time that these took, seconds.').meta({ example: 312.5 }),
        }),
      )
      .max(MOST_DAYS)
      .describe('The newest first; days are those of UTC.'),
  }),
) {}
