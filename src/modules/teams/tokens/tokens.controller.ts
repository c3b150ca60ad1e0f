import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ApiProblems } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { HonoursRunLimits } from '../run-limits.guard';
import { type StoredApiToken } from './api-tokens.repository';
import { ApiTokensService } from './api-tokens.service';
import { refuseMoreRights } from './rotation';
import { PageQueryDto } from '../schemas';
import { CreatedTokenDto, NewTokenDto, TokenIdDto, TokenPageDto, TokenRotationDto } from './schemas';

@ApiTags('API tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Post()
  @RequireScope('admin')
  @ApiOperation({ summary: 'Create an API token; it is shown in this answer only' })
  @ZodResponse({ status: 201, type: CreatedTokenDto })
  @ApiProblems('scope-missing', 'service-account-not-found', 'service-account-disabled')
  async createToken(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Body() body: NewTokenDto,
  ) {
    // A token must not be a way to rights that its maker lacks; limited ones do not get here.
    refuseMoreRights(body.scopes, principal);
    const created = await this.tokens.create(principal.teamId, actor, {
      ...body,
      maker: principal,
    });
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

  @Post(':id/rotate')
  @RequireScope()
  @HonoursRunLimits('no-runs')
  @ApiOperation({
    summary: 'Replace an API token without downtime: a new one, and a grace for the old one',
    description:
      'A token may rotate itself, whatever its scopes; others need the scope admin and every scope of the token. Name, scopes, ' +
      'limits and service account stay. When a person asks, the new token gets the whole lifetime of the old one anew; when a ' +
      'token asks, the end stays as it was. A token has one successor: if that is lost, an admin rotates the successor.',
  })
  @ZodResponse({ status: 201, type: CreatedTokenDto })
  @ApiProblems(
    'scope-missing',
    'token-limited',
    'token-not-found',
    'token-ended',
    'token-rotated',
    'service-account-disabled',
  )
  async rotateToken(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: TokenIdDto,
    @Body() { graceS }: TokenRotationDto,
  ) {
    const created = await this.tokens.rotate(principal, actor, id, graceS);
    return { ...describe(created), token: created.token };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Revoke an API token and what it made, at once and for good',
    description:
      'Revoked with it are the tokens that it made or rotated, their tokens in turn, and the open invitations of all of them. ' +
      'A token that rotated itself is one with its successor: with either both are revoked. A successor that a person made ' +
      'is not revoked with the old token.',
  })
  @ApiNoContentResponse({ description: 'The token is revoked.' })
  @ApiProblems('token-not-found')
  async revokeToken(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: TokenIdDto,
  ): Promise<void> {
    await this.tokens.revoke(teamId, actor, id);
  }
}

function describe({ id, name, prefix, scopes, models, clusters, ...token }: StoredApiToken) {
  return {
    id,
    name,
    prefix,
    scopes,
    limits: { models, clusters },
    serviceAccountId: token.serviceAccountId,
    rotatedFrom: token.rotatedFrom,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
  };
}
