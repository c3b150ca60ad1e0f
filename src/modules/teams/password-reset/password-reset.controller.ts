import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor } from '../../../platform/audit';
import { ApiProblems, Public } from '../../../platform/http';
import { CurrentActor } from '../current-actor';
import { LimitAttempts } from '../sessions/attempts.guard';
import { PasswordResetService } from './password-reset.service';
import { PasswordResetDto } from './schemas';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetService) {}

  @Post('password-reset')
  @HttpCode(204)
  @Public()
  @LimitAttempts('password-reset')
  @ApiOperation({
    summary: 'Set a new password with a token from the operator; ends all your sessions',
    description:
      'Whoever runs the installation makes the token with the command reset-password and hands it over; it is good once, for ' +
      'an hour. Also for people who only signed in with the OpenID provider so far. Then sign in with POST /v1/auth/login.',
  })
  @ApiProblems('password-reset-unknown', 'sign-in-busy')
  @ApiNoContentResponse({ description: 'The new password holds, and all sessions have ended.' })
  async resetPassword(
    @Body() { token, newPassword }: PasswordResetDto,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    await this.resets.use(token, newPassword, actor);
  }
}
