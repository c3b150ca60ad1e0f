import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import { type Request } from 'express';
import { ProblemError } from '../../platform/errors';
import { isWithinLimits, type Principal } from './principal';
import { RunLimitsRepository } from './run-limits.repository';

const limitsKey = 'stallscope:honours-run-limits';

/**
 * How a route keeps a credential that is limited to models or clusters within its limits:
 * `run-id`: its parameter `id` is a run, which the guard looks at before the handler is called;
 * `handled`: the handler itself respects `principal.runLimits`;
 * `no-runs`: nothing of a run is read or changed.
 */
export type LimitsMode = 'run-id' | 'handled' | 'no-runs';

/** Opens a route to limited credentials; without it they are refused, so that a new route cannot leak. */
export function HonoursRunLimits(mode: LimitsMode): MethodDecorator {
  return applyDecorators(SetMetadata(limitsKey, mode));
}

/** Keeps limited credentials within their models and clusters. Part of the access guard. */
@Injectable()
export class RunLimitsGuard {
  constructor(private readonly runs: RunLimitsRepository) {}

  /** Throws `token-limited` or `run-not-found`. */
  async check(handler: object, request: Request, { teamId, runLimits }: Principal): Promise<void> {
    if (!runLimits) return;
    const mode = Reflect.getMetadata(limitsKey, handler) as LimitsMode | undefined;
    if (mode === undefined) {
      throw new ProblemError(
        'token-limited',
        'This token is limited to some models or clusters, this is not.',
      );
    }
    if (mode !== 'run-id') return;
    const place = await this.runs.findPlace(teamId, String(request.params.id));
    // A run that is not there is the handler's to refuse.
    if (!place || isWithinLimits(runLimits, place)) return;
    throw new ProblemError('run-not-found', 'Your team has no run with this id.');
  }
}
