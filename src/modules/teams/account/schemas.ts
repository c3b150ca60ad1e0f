import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { currentPassword } from '../sessions/schemas';

export class AccountDeletionDto extends createZodDto(
  z
    .strictObject({
      currentPassword: currentPassword
        .optional()
        .describe('Needed by everybody who has one; others sign in again shortly before.'),
    })
    .prefault({}),
) {}
