import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { newPassword } from '../sessions/schemas';

export class PasswordResetDto extends createZodDto(
  z.strictObject({
    token: z
      .string()
      .max(200)
      .describe('The token that the operator gave you, ssp_….')
      .meta({ example: `ssp_${'A'.repeat(43)}` }),
    newPassword,
  }),
) {}
