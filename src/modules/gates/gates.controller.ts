import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../teams';
import { EvaluateGateService } from './evaluate-gate.service';
import { GateEvaluationDto, GateRequestDto } from './schemas';

@ApiTags('Gates')
@Controller('v1/gates')
export class GatesController {
  constructor(private readonly gates: EvaluateGateService) {}

  @Post('evaluate')
  @HttpCode(200)
  @RequireScope('gates:evaluate')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'May this run pass? Judges it by a policy and by the comparable runs before it',
    description:
      'Needs scope gates:evaluate. Nothing is stored. While the run is analysed the answer is report-not-ready; ask again ' +
      'after Retry-After. A run whose analysis failed is inconclusive. Repeated runs of a commit count as one; runs of ' +
      'regressions are no baseline.',
  })
  @ZodResponse({ status: 200, description: 'Pass, fail or inconclusive, and why.', type: GateEvaluationDto })
  @ApiProblems('run-not-found', 'gate-policy-not-found', 'report-not-ready')
  async evaluateGate(@CurrentPrincipal() principal: Principal, @Body() request: GateRequestDto) {
    return this.gates.evaluate(principal, request);
  }
}
