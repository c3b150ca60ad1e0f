import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { longestRetentionDays } from '../../platform/config';
import { printableLine } from '../../platform/http';

const name = printableLine(100);
const retentionDays = z.int().min(1).max(longestRetentionDays);

export class TeamSettingsDto extends createZodDto(
  z.object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    retention: z.object({
      days: z.int().describe('How long a finished run is kept, in force.'),
      isDefault: z.boolean().describe('Whether that is what the installation says, not the team itself.'),
    }),
    limits: z
      .object({
        storedBytes: z.int(),
        runsPerDay: z.int(),
        concurrentAnalyses: z.int(),
        queuedRuns: z.int(),
      })
      .describe('In force; operators set them.'),
  }),
) {}

export class TeamChangeDto extends createZodDto(
  z
    .strictObject({
      name: name.optional().meta({ example: 'Research' }),
      retentionDays: retentionDays
        .nullable()
        .optional()
        .describe('Runs that are older are deleted soon after; null for what the installation says.'),
    })
    .refine((change) => Object.keys(change).length > 0, 'must change something'),
) {}
