import { ProblemError } from '../../platform/errors';
import { isWithinLimits, type Principal } from '../teams';

/** Throws `outside-token-limits` when the credential may not create a run of this model on this cluster. */
export function refuseOutsideLimits({ runLimits }: Principal, run: { model: string; cluster: string }): void {
  if (!runLimits || isWithinLimits(runLimits, run)) return;
  const { models, clusters } = runLimits;
  const allowed = [
    ...(models.length > 0 ? [`models ${models.join(', ')}`] : []),
    ...(clusters.length > 0 ? [`clusters ${clusters.join(', ')}`] : []),
  ];
  throw new ProblemError(
    'outside-token-limits',
    `This token may create runs of ${allowed.join(' and ')} only, not of model ${run.model} on cluster ${run.cluster}.`,
  );
}
