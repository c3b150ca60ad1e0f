import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ApiProblems, toPage } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { PageQueryDto } from '../schemas';
import {
  NewServiceAccountDto,
  ServiceAccountChangeDto,
  ServiceAccountDto,
  ServiceAccountIdDto,
  ServiceAccountPageDto,
} from './schemas';
import { ServiceAccountsRepository, type StoredServiceAccount } from './service-accounts.repository';

@ApiTags('Service accounts')
@Controller('v1/service-accounts')
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccountsRepository) {}

  @Post()
  @RequireScope('admin')
  @ApiOperation({ summary: 'Create a service account; POST /v1/tokens gives it tokens' })
  @ZodResponse({ status: 201, type: ServiceAccountDto })
  @ApiProblems('service-account-name-taken')
  async createServiceAccount(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() body: NewServiceAccountDto,
  ) {
    return describe(await this.accounts.create(teamId, actor, body));
  }

  @Get()
  @RequireScope('admin')
  @ApiOperation({ summary: 'List the service accounts of the team, the newest first' })
  @ZodResponse({ status: 200, type: ServiceAccountPageDto })
  async listServiceAccounts(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() { limit, cursor }: PageQueryDto,
  ) {
    const found = await this.accounts.list(teamId, limit + 1, cursor);
    const { items, nextCursor } = toPage(found, limit, ({ id }) => id);
    return { items: items.map(describe), nextCursor };
  }

  @Patch(':id')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Describe, disable or enable a service account; its tokens follow at once',
    description:
      'Disabling revokes, for good, the tokens of others that its tokens made, and the open invitations of all of them.',
  })
  @ZodResponse({ status: 200, type: ServiceAccountDto })
  @ApiProblems('service-account-not-found')
  async changeServiceAccount(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: ServiceAccountIdDto,
    @Body() body: ServiceAccountChangeDto,
  ) {
    return describe(await this.accounts.change(teamId, actor, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Delete a service account, its tokens and what these made, at once and for good',
    description:
      'The tokens of others that its tokens made are revoked, and so are the open invitations of all of them.',
  })
  @ApiNoContentResponse({ description: 'The account and its tokens are gone.' })
  @ApiProblems('service-account-not-found')
  async deleteServiceAccount(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: ServiceAccountIdDto,
  ): Promise<void> {
    await this.accounts.delete(teamId, actor, id);
  }
}

function describe({ createdAt, disabledAt, ...account }: StoredServiceAccount) {
  return {
    ...account,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
  };
}
