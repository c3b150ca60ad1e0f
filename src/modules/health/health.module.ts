import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { ReadinessProbes } from './readiness-probes';

/** For orchestrators and load balancers: does the process live, and can it serve? */
@Module({
  // Our own log says more about a failed probe than terminus does.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [ReadinessProbes],
})
export class HealthModule {}
