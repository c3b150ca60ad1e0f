import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../platform/audit';
import { ApiProblems } from '../../platform/http';
import { CurrentActor, CurrentPrincipal, type Principal, RequireScope } from '../teams';
import { EndpointsRepository, type StoredEndpoint } from './endpoints.repository';
import {
  NewWebhookDto,
  WebhookChangeDto,
  WebhookDto,
  WebhookIdDto,
  WebhookListQueryDto,
  WebhookPageDto,
  WebhookWithSecretDto,
} from './schemas';
import { WebhooksService } from './webhooks.service';
import { secretGraceMs } from './webhook-secrets';

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly endpoints: EndpointsRepository,
  ) {}

  @Post()
  @RequireScope('admin')
  @ApiOperation({ summary: 'Create a webhook; its signing secret is shown in this answer only' })
  @ZodResponse({ status: 201, description: 'The webhook and its secret.', type: WebhookWithSecretDto })
  @ApiProblems('webhook-url-refused', 'webhook-limit-reached')
  async createWebhook(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() body: NewWebhookDto,
  ) {
    const created = await this.webhooks.create(teamId, body, actor);
    return { ...describe(created), secret: created.secret };
  }

  @Get()
  @RequireScope('admin')
  @ApiOperation({ summary: 'List the webhooks of the team, the newest first' })
  @ZodResponse({ status: 200, description: 'One page of webhooks.', type: WebhookPageDto })
  async listWebhooks(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() { limit, cursor }: WebhookListQueryDto,
  ) {
    const found = await this.endpoints.list(teamId, limit + 1, cursor);
    const items = found.slice(0, limit);
    return { items: items.map(describe), nextCursor: found.length > limit ? items[limit - 1].id : null };
  }

  @Get(':id')
  @RequireScope('admin')
  @ApiOperation({ summary: 'A webhook, and whether it works' })
  @ZodResponse({ status: 200, description: 'The webhook.', type: WebhookDto })
  @ApiProblems('webhook-not-found')
  async getWebhook(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: WebhookIdDto) {
    return describe(await this.endpoints.get(teamId, id));
  }

  @Patch(':id')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Change a webhook',
    description:
      'Needs scope admin. What is left out stays. Disabling ends the deliveries that are still to be sent; enabling starts afresh.',
  })
  @ZodResponse({ status: 200, description: 'The webhook as it is now.', type: WebhookDto })
  @ApiProblems('webhook-not-found', 'webhook-url-refused')
  async updateWebhook(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: WebhookIdDto,
    @Body() body: WebhookChangeDto,
  ) {
    return describe(await this.webhooks.update(teamId, id, body, actor));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({ summary: 'Delete a webhook and the record of its deliveries' })
  @ApiNoContentResponse({ description: 'The webhook is gone.' })
  @ApiProblems('webhook-not-found')
  async deleteWebhook(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: WebhookIdDto,
  ): Promise<void> {
    await this.endpoints.delete(teamId, id, actor);
  }

  @Post(':id/rotate-secret')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Give a webhook a new signing secret; it is shown in this answer only',
    description:
      'Needs scope admin. For 24 hours requests carry a signature of the new and one of the old secret. A second rotation ends the old one at once.',
  })
  @ZodResponse({ status: 200, description: 'The webhook and its new secret.', type: WebhookWithSecretDto })
  @ApiProblems('webhook-not-found')
  async rotateWebhookSecret(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: WebhookIdDto,
  ) {
    const rotated = await this.webhooks.rotateSecret(teamId, id, actor);
    return { ...describe(rotated), secret: rotated.secret };
  }
}

function describe({ secretVersion: _, secretRotatedAt, createdAt, ...endpoint }: StoredEndpoint) {
  const graceEndMs = (secretRotatedAt?.getTime() ?? -Infinity) + secretGraceMs;
  return {
    ...endpoint,
    previousSecretUntil: graceEndMs > Date.now() ? new Date(graceEndMs).toISOString() : null,
    createdAt: createdAt.toISOString(),
  };
}
