import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../platform/audit';
import { toPage } from '../../platform/http';
import { CurrentPrincipal, type Principal, RequireScope } from '../teams';
import { AuditRepository } from './audit.repository';
import { AuditPageDto, AuditQueryDto } from './schemas';

@ApiTags('Audit log')
@Controller('v1/audit-log')
export class AuditController {
  constructor(private readonly entries: AuditRepository) {}

  @Get()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Who did what in the team, the newest first',
    description:
      'Needs scope admin. Each entry was written together with the act itself; nobody can change or remove one.',
  })
  @ZodResponse({ status: 200, type: AuditPageDto })
  async listAuditEntries(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() { limit, cursor, ...filter }: AuditQueryDto,
  ) {
    const found = await this.entries.list(teamId, filter, limit + 1, cursor);
    const { items, nextCursor } = toPage(found, limit, ({ id }) => id);
    return { items: items.map(describe), nextCursor };
  }
}

function describe({
  id,
  at,
  action,
  requestId,
  address,
  ...entry
}: Awaited<ReturnType<AuditRepository['list']>>[number]) {
  const { actorKind, actorId, actorName, targetKind, targetId, details } = entry;
  return {
    id,
    at: at.toISOString(),
    action,
    actor: { kind: actorKind as Actor['kind'], id: actorId, name: actorName },
    target: targetKind === null || targetId === null ? null : { kind: targetKind, id: targetId },
    details: details as Record<string, unknown>,
    requestId,
    address,
  };
}
