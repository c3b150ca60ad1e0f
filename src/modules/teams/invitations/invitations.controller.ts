import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ApiProblems, toPage } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { normalizeEmail } from '../normalize-email';
import { type Principal } from '../principal';
import { tokenHash } from '../tokens/api-token';
import { invitationToken } from './invitation-token';
import { InvitationsRepository, type StoredInvitation } from './invitations.repository';
import { PageQueryDto } from '../schemas';
import { CreatedInvitationDto, InvitationIdDto, InvitationPageDto, NewInvitationDto } from './schemas';

const dayMs = 86_400_000;

@ApiTags('Invitations')
@Controller('v1/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsRepository) {}

  @Post()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Invite somebody to the team; the token is shown in this answer only',
    description:
      'Needs scope admin. No e-mail is sent: hand the token or the link to the person yourself. It works once. The role ' +
      'must not be above your own, and the invitation is revoked when you leave the team or lose the right to give the role. That of a token is revoked with ' +
      'the token, or when its service account is disabled, and ends when the token expires at the latest.',
  })
  @ZodResponse({ status: 201, type: CreatedInvitationDto })
  @ApiProblems('role-too-high')
  async createInvitation(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Body() { email, role, expiresInDays }: NewInvitationDto,
  ) {
    const token = invitationToken.create();
    const stored = await this.invitations.create(principal, actor, {
      email: normalizeEmail(email),
      role,
      tokenHash: tokenHash(token),
      expiresAt: endOf(expiresInDays, principal),
    });
    return {
      ...describe(stored, new Date()),
      token,
    };
  }

  @Get()
  @RequireScope('admin')
  @ApiOperation({ summary: 'List the invitations of the team, the newest first' })
  @ZodResponse({ status: 200, type: InvitationPageDto })
  async listInvitations(@CurrentPrincipal() { teamId }: Principal, @Query() { limit, cursor }: PageQueryDto) {
    const found = await this.invitations.list(teamId, limit + 1, cursor);
    const { items, nextCursor } = toPage(found, limit, ({ id }) => id);
    const now = new Date();
    return { items: items.map((item) => describe(item, now)), nextCursor };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({ summary: 'Revoke an invitation, at once and for good' })
  @ApiNoContentResponse({ description: 'The invitation cannot be accepted any more.' })
  @ApiProblems('role-too-high', 'invitation-not-found', 'invitation-accepted')
  async revokeInvitation(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: InvitationIdDto,
  ): Promise<void> {
    await this.invitations.revoke(principal, actor, id);
  }
}

/** After so many days; what a token makes must not outlive it. */
function endOf(days: number, { expiresAt }: Principal): Date {
  const wanted = new Date(Date.now() + days * dayMs);
  return expiresAt && expiresAt < wanted ? expiresAt : wanted;
}

function stateOf(
  { acceptedAt, revokedAt, expiresAt }: StoredInvitation,
  now: Date,
): 'open' | 'accepted' | 'revoked' | 'expired' {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

function describe(stored: StoredInvitation, now: Date) {
  const { id, email, role, invitedBy, createdAt, expiresAt, acceptedAt, revokedAt } = stored;
  return {
    id,
    email,
    role,
    state: stateOf(stored, now),
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
