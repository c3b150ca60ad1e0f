import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { type Actor } from '../../platform/audit';
import { ApiProblems, decodeCursor, encodeCursor } from '../../platform/http';
import { CurrentActor, CurrentPrincipal, type Principal, RequireScope } from '../teams';
import { GatePoliciesRepository, type PolicySummary } from './gate-policies.repository';
import { preconditionOf, tagOf } from './policy-tag';
import {
  GatePageQueryDto,
  GatePolicyBodyDto,
  GatePolicyDto,
  GatePolicyNameDto,
  GatePolicyPageDto,
  GatePolicyQueryDto,
} from './schemas';

const LIST = 'gate-policies';
/** Above every revision. */
const NEWEST = 2 ** 31 - 1;

@ApiTags('Gates')
@Controller('v1/gates/policies')
export class GatePoliciesController {
  constructor(private readonly policies: GatePoliciesRepository) {}

  @Get()
  @RequireScope('runs:read')
  @ApiOperation({ summary: 'The gate policies of the team, by name' })
  @ZodResponse({
    status: 200,
    description: 'One page, each in its newest revision.',
    type: GatePolicyPageDto,
  })
  @ApiProblems('cursor-invalid')
  async listGatePolicies(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() { limit, cursor }: GatePageQueryDto,
  ) {
    const after = cursor === undefined ? '' : decodeCursor(cursor, LIST, z.string().max(100));
    const found = await this.policies.list(teamId, limit + 1, after);
    return pageOf(found, limit, ({ name }) => encodeCursor(name, LIST));
  }

  @Get(':name')
  @RequireScope('runs:read')
  @ApiOperation({
    summary: 'A gate policy',
    description:
      'Needs scope runs:read. The ETag of the newest revision goes into If-Match of the next change.',
  })
  @ZodResponse({ status: 200, description: 'The policy.', type: GatePolicyDto })
  @ApiProblems('gate-policy-not-found')
  async getGatePolicy(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { name }: GatePolicyNameDto,
    @Query() { revision }: GatePolicyQueryDto,
    @Res({ passthrough: true }) response: Response,
  ) {
    const found = await this.policies.get(teamId, { name, revision });
    response.setHeader('ETag', tagOf(found.revision));
    return { ...describe(found), policy: found.policy };
  }

  @Get(':name/revisions')
  @RequireScope('runs:read')
  @ApiOperation({ summary: 'Who saved which revision of a gate policy, the newest first' })
  @ZodResponse({ status: 200, description: 'One page of revisions.', type: GatePolicyPageDto })
  @ApiProblems('gate-policy-not-found', 'cursor-invalid')
  async listGatePolicyRevisions(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { name }: GatePolicyNameDto,
    @Query() { limit, cursor }: GatePageQueryDto,
  ) {
    const question = [LIST, name];
    const before = cursor === undefined ? NEWEST : decodeCursor(cursor, question, z.int().min(1).max(NEWEST));
    const found = await this.policies.listRevisions(teamId, name, limit + 1, before);
    return pageOf(found, limit, ({ revision }) => encodeCursor(revision, question));
  }

  @Put(':name')
  @RequireScope('admin')
  @ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'ETag of the revision that the change is made from.',
  })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: '* to create the policy, never to change one.',
  })
  @ApiOperation({
    summary: 'Save a gate policy as its next revision',
    description:
      'Needs scope admin. Every revision is kept; gates that name no revision use the newest. The same content makes no new ' +
      'revision. With If-Match the change is refused when somebody was faster.',
  })
  @ZodResponse({ status: 200, description: 'The policy as it is now.', type: GatePolicyDto })
  @ApiProblems('gate-policy-changed', 'gate-policy-limit-reached', 'run-not-found', 'malformed-request')
  async saveGatePolicy(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { name }: GatePolicyNameDto,
    @Body() policy: GatePolicyBodyDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const expected = preconditionOf(ifMatch, ifNoneMatch);
    const saved = await this.policies.save(teamId, actor, { name, policy, expected });
    response.setHeader('ETag', tagOf(saved.revision));
    return { ...describe(saved), policy: saved.policy };
  }

  @Delete(':name')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({ summary: 'Delete a gate policy with all its revisions' })
  @ApiNoContentResponse({ description: 'The policy is gone.' })
  @ApiProblems('gate-policy-not-found')
  async deleteGatePolicy(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { name }: GatePolicyNameDto,
  ): Promise<void> {
    await this.policies.delete(teamId, actor, name);
  }
}

function describe({ name, revision, createdBy, createdAt }: PolicySummary) {
  return { name, revision, createdBy, createdAt: createdAt.toISOString() };
}

function pageOf(found: PolicySummary[], limit: number, cursorAfter: (item: PolicySummary) => string) {
  const items = found.slice(0, limit);
  return {
    items: items.map(describe),
    nextCursor: found.length > limit ? cursorAfter(items[limit - 1]) : null,
  };
}
