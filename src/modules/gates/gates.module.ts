import { Module } from '@nestjs/common';
import { EvaluateGateService } from './evaluate-gate.service';
import { GatePoliciesController } from './gate-policies.controller';
import { GatePoliciesRepository } from './gate-policies.repository';
import { GatesController } from './gates.controller';

/** May this commit pass: policies, and runs judged by them. */
@Module({
  controllers: [GatePoliciesController, GatesController],
  providers: [EvaluateGateService, GatePoliciesRepository],
})
export class GatesModule {}
