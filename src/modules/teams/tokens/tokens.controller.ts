import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ProblemError } from '../../../platform/errors';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { type StoredApiToken } from './api-tokens.repository';
import { ApiTokensService } from './api-tokens.service';
import { type Principal } from '../principal';
import { CreatedTokenDto, NewTokenDto, PageQueryDto, TokenIdDto, TokenPageDto } from '../schemas';

@ApiTags('API tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Post()
  @RequireScope('admin')
  @ApiOperation({ summary: 'Create an API token; it is shown in this answer only' })
  @ZodResponse({ status: 201, type: CreatedTokenDto })
  async createToken(@CurrentPrincipal() principal: Principal, @Body() body: NewTokenDto) {
    // A token must not be a way to rights that its maker lacks.
    const missing = body.scopes.filter((scope) => !principal.scopes.includes(scope));
    if (missing.length > 0) {
      throw new ProblemError(
        'scope-missing',
        `You cannot give a token the scope ${missing.join(', ')}: you lack it.`,
      );
    }
    const created = await this.tokens.create(principal.teamId, { ...body, notAfter: principal.expiresAt });
    return { ...describe(created), token: created.token };
  }

  @Get()
  @RequireScope('admin')
  @ApiOperation({ summary: 'List the API tokens of the team, the newest first' })
  @ZodResponse({ status: 200, type: TokenPageDto })
  async listTokens(@CurrentPrincipal() { teamId }: Principal, @Query() { limit, cursor }: PageQueryDto) {
    const { items, nextCursor } = await this.tokens.list(teamId, limit, cursor);
    return { items: items.map(describe), nextCursor };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({ summary: 'Revoke an API token, at once and for good' })
  @ApiNoContentResponse({ description: 'The token is revoked.' })
  async revokeToken(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: TokenIdDto): Promise<void> {
    await this.tokens.revoke(teamId, id);
  }
}

function describe({ id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: StoredApiToken) {
  return {
    id,
    name,
    prefix,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
