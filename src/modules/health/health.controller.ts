import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { createZodDto, ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { ProblemError, type ProblemItem } from '../../platform/errors';
import { Public } from '../../platform/http';
import { probeIndicator } from './probe-indicator';
import { ReadinessProbes } from './readiness-probes';

class AliveDto extends createZodDto(z.object({ status: z.literal('ok') })) {}

class ReadyDto extends createZodDto(
  z.object({ status: z.literal('ok'), parts: z.record(z.string(), z.literal('up')) }),
) {}

@ApiTags('Health')
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly probes: ReadinessProbes,
  ) {}

  /** Asks nothing of anybody: restarting this process would not mend a database. */
  @Get('live')
  @ApiOperation({ summary: 'Whether the process runs' })
  @ZodResponse({ status: 200, type: AliveDto })
  getLiveness() {
    return { status: 'ok' as const };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Whether requests can be served: database, queue and object store answer' })
  @ZodResponse({ status: 200, type: ReadyDto })
  async getReadiness() {
    if (this.probes.stopping) throw new ProblemError('not-ready', 'The service is stopping.');
    const checks = this.probes.all.map((probe) => probeIndicator(this.indicators, probe));
    const { details } = await this.checks.check(checks).catch(refuse);
    return {
      status: 'ok' as const,
      parts: Object.fromEntries(Object.keys(details).map((name) => [name, 'up' as const])),
    };
  }
}

function refuse(error: unknown): never {
  const result = resultOf(error);
  if (!result) throw error;
  if (result.status === 'shutting_down') throw new ProblemError('not-ready', 'The service is stopping.');
  const errors = Object.entries(result.error ?? {}).map(([field, part]): ProblemItem => ({
    field,
    message: String(part?.message ?? 'is down'),
  }));
  throw new ProblemError('not-ready', `Not ready: ${errors.map(({ field }) => field).join(', ')}.`, {
    errors,
    retryAfterS: 5,
  });
}

/** Terminus throws its result inside an exception of the framework. */
function resultOf(error: unknown): HealthCheckResult | undefined {
  if (!(error instanceof ServiceUnavailableException)) return undefined;
  return error.getResponse() as HealthCheckResult;
}
