import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../platform/http';
import { CurrentPrincipal, type Principal, RequireScope } from '../teams';
import { DeliveriesRepository, type StoredDelivery } from './deliveries.repository';
import {
  DeliveryDto,
  DeliveryIdDto,
  DeliveryListQueryDto,
  DeliveryPageDto,
  DeliveryWithBodyDto,
  WebhookIdDto,
} from './schemas';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class DeliveriesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  @Post(':id/test')
  @RequireScope('admin')
  @ApiOperation({ summary: 'Send the event webhook.test, to see whether it arrives' })
  @ZodResponse({ status: 202, description: 'The delivery, which is about to be made.', type: DeliveryDto })
  @ApiProblems('webhook-not-found', 'webhook-disabled')
  async testWebhook(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: WebhookIdDto) {
    return describe(await this.webhooks.test(teamId, id));
  }

  @Get(':id/deliveries')
  @RequireScope('admin')
  @ApiOperation({ summary: 'What was sent to a webhook and what is to be, the newest first' })
  @ZodResponse({ status: 200, description: 'One page of deliveries.', type: DeliveryPageDto })
  @ApiProblems('webhook-not-found')
  async listDeliveries(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: WebhookIdDto,
    @Query() { limit, cursor, state }: DeliveryListQueryDto,
  ) {
    const found = await this.deliveries.list(teamId, id, { state, before: cursor, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items: items.map(describe), nextCursor: found.length > limit ? items[limit - 1].id : null };
  }

  @Get(':id/deliveries/:deliveryId')
  @RequireScope('admin')
  @ApiOperation({ summary: 'A delivery with its body' })
  @ZodResponse({ status: 200, description: 'The delivery.', type: DeliveryWithBodyDto })
  @ApiProblems('webhook-delivery-not-found')
  async getDelivery(@CurrentPrincipal() { teamId }: Principal, @Param() { id, deliveryId }: DeliveryIdDto) {
    const { body, ...delivery } = await this.deliveries.get(teamId, id, deliveryId);
    return { ...describe(delivery), body };
  }

  @Post(':id/deliveries/:deliveryId/redeliver')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Send the event of a delivery once more, with the same event id',
    description: 'Needs scope admin. Makes a new delivery; the old one stays as it is.',
  })
  @ZodResponse({ status: 202, description: 'The new delivery.', type: DeliveryDto })
  @ApiProblems('webhook-delivery-not-found', 'webhook-disabled')
  async redeliver(@CurrentPrincipal() { teamId }: Principal, @Param() { id, deliveryId }: DeliveryIdDto) {
    return describe(await this.webhooks.redeliver(teamId, id, deliveryId));
  }
}

function describe({ nextAttemptAt, createdAt, endedAt, ...delivery }: StoredDelivery) {
  return {
    ...delivery,
    nextAttemptAt: delivery.state === 'pending' ? nextAttemptAt.toISOString() : null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
