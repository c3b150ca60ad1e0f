import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ProblemError } from '../../../platform/errors';
import { ApiProblems, toPage } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { MembersRepository, type StoredMember } from './members.repository';
import { PageQueryDto } from '../schemas';
import { MemberChangeDto, MemberDto, MemberIdDto, MemberPageDto } from './schemas';

const lattice =
  'Nobody gives, or changes what somebody has of, a role above their own: viewer, member, admin, owner, from the least to ' +
  'the most. A token counts as an admin at most, and gives no role with a scope that it lacks.';

@ApiTags('Members')
@Controller('v1/members')
export class MembersController {
  constructor(private readonly members: MembersRepository) {}

  @Get()
  @RequireScope('admin')
  @ApiOperation({ summary: 'List the people in the team' })
  @ZodResponse({ status: 200, type: MemberPageDto })
  async listMembers(@CurrentPrincipal() { teamId }: Principal, @Query() { limit, cursor }: PageQueryDto) {
    const { items, nextCursor } = toPage(
      await this.members.list(teamId, limit + 1, cursor),
      limit,
      ({ userId }) => userId,
    );
    return { items: items.map(describe), nextCursor };
  }

  @Patch(':userId')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Give a member another role; it counts from the next request on',
    description:
      `Needs scope admin. ${lattice} Open invitations that the member made to roles they could not give any more are ` +
      'revoked, and so are those to their address with a higher role than the new one.',
  })
  @ZodResponse({ status: 200, type: MemberDto })
  @ApiProblems('role-too-high', 'member-not-found', 'last-owner')
  async changeMember(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { userId }: MemberIdDto,
    @Body() { role }: MemberChangeDto,
  ) {
    return describe(await this.members.changeRole(principal, actor, userId, role));
  }

  @Delete(':userId')
  @HttpCode(204)
  @RequireScope()
  @ApiOperation({
    summary: 'Remove a member, or leave the team oneself; access ends at once',
    description:
      `Needs scope admin, but for leaving oneself. ${lattice} The sessions in this team end, and the open invitations that ` +
      'the person made or that are addressed to them are revoked. API tokens belong to the team and stay: the audit log tells which ones the person created. ' +
      'Somebody who may sign in with the OpenID provider comes back with the next sign-in when this is the team of ' +
      'OIDC_AUTO_JOIN_TEAM: take their access away at the provider as well.',
  })
  @ApiNoContentResponse({ description: 'The person is not in the team any more.' })
  @ApiProblems('scope-missing', 'role-too-high', 'member-not-found', 'last-owner')
  async removeMember(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { userId }: MemberIdDto,
  ): Promise<void> {
    const isLeaving = principal.kind === 'user' && principal.id === userId;
    if (!isLeaving && !principal.scopes.includes('admin')) {
      throw new ProblemError('scope-missing', 'Removing somebody else needs the scope admin.');
    }
    await this.members.remove(principal, actor, userId);
  }
}

function describe({ joinedAt, ...member }: StoredMember) {
  return { ...member, joinedAt: joinedAt.toISOString() };
}
