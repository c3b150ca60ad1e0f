import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { Public } from '../../platform/http';
import { LoginRateGuard } from './login-rate';
import { LoginService } from './login.service';
import { LoginDto, SessionDto } from './schemas';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class AuthController {
  constructor(private readonly logins: LoginService) {}

  @Post('login')
  @Public()
  @UseGuards(LoginRateGuard)
  @ApiOperation({ summary: 'Log in with e-mail address and password' })
  @ZodResponse({ status: 200, type: SessionDto, description: 'An access token for one team.' })
  async login(@Body() body: LoginDto) {
    return this.logins.login(body);
  }
}
