import { applyDecorators, Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { type ProblemCode } from '../../../platform/errors';
import { ApiProblems } from '../../../platform/http';
import { CurrentActor, CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../../teams';
import { PersonsActsRepository } from './persons-acts.repository';
import { toDetail } from './regression-answer';
import { AssignDto, MuteDto, ReasonDto, RegressionDto, RegressionIdDto, ResolveDto } from './schemas';

/** An act on one regression, which answers with the regression as it is then. */
function Act(path: string, summary: string, more = '', ...problems: ProblemCode[]): MethodDecorator {
  return applyDecorators(
    Post(`:id/${path}`),
    HttpCode(200),
    RequireScope('runs:write'),
    HonoursRunLimits('handled'),
    ApiOperation({
      summary,
      description: `Needs scope runs:write, which members have. It is in the history of the regression.${more}`,
    }),
    ZodResponse({ status: 200, description: 'The regression as it is now.', type: RegressionDto }),
    ApiProblems('regression-not-found', 'regression-state-conflict', ...problems),
  );
}

@ApiTags('Regressions')
@Controller('v1/regressions')
export class RegressionActsController {
  constructor(private readonly acts: PersonsActsRepository) {}

  @Act('acknowledge', 'Say that an open regression was seen, and why it stays')
  async acknowledgeRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
    @Body() { reason }: ReasonDto,
  ) {
    return toDetail(await this.acts.acknowledge({ principal, actor, id, reason }));
  }

  @Act('assign', 'Give a regression to a member of the team, or to nobody', '', 'assignee-not-a-member')
  async assignRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
    @Body() { userId }: AssignDto,
  ) {
    return toDetail(await this.acts.assign({ principal, actor, id }, userId));
  }

  @Act('mute', 'Tell webhooks nothing of a regression until then', ' Audited.')
  async muteRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
    @Body() { until, reason }: MuteDto,
  ) {
    return toDetail(await this.acts.mute({ principal, actor, id, reason }, until));
  }

  @Act('unmute', 'End the mute; webhooks are told what changed meanwhile and still holds', ' Audited.')
  async unmuteRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
  ) {
    return toDetail(await this.acts.unmute({ principal, actor, id }));
  }

  @Act('resolve', 'Say that a regression is over: fixed, accepted as the new baseline, or none', ' Audited.')
  async resolveRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
    @Body() { resolution, reason }: ResolveDto,
  ) {
    return toDetail(await this.acts.resolve({ principal, actor, id, reason }, resolution));
  }

  @Act(
    'reopen',
    'Open a resolved regression again',
    ' Audited. An acceptance is taken back; runs from now on say whether it is over.',
    'regression-superseded',
  )
  async reopenRegression(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: RegressionIdDto,
    @Body() { reason }: ReasonDto,
  ) {
    return toDetail(await this.acts.reopen({ principal, actor, id, reason }));
  }
}
