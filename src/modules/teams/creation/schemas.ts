import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { printableLine } from '../../../platform/http';
import { teamSlug } from '../schemas';

export class NewTeamDto extends createZodDto(
  z.strictObject({
    slug: teamSlug.describe('Unique in the installation; stays.').meta({ example: 'research' }),
    name: printableLine(100).optional().describe('The slug when left out.'),
  }),
) {}

export class CreatedTeamDto extends createZodDto(
  z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
) {}
