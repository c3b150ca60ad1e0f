import { accessProblems } from './access';
import { gateProblems } from './gates';
import { ladderProblems } from './ladders';
import { lateArtifactProblems } from './late-artifacts';
import { quotaProblems } from './quotas';
import { regressionProblems } from './regressions';
import { requestProblems } from './request';
import { retentionProblems } from './retention';
import { runProblems } from './runs';
import { serviceProblems } from './service';
import { webhookProblems } from './webhooks';
import { signInProblems } from './sign-in';
import { teamProblems } from './teams';
import { trendProblems } from './trends';

/** Every problem that the API can answer with. Codes are stable: clients decide by them. */
export const problemCatalogue = {
  ...requestProblems,
  ...accessProblems,
  ...teamProblems,
  ...runProblems,
  ...quotaProblems,
  ...regressionProblems,
  ...retentionProblems,
  ...webhookProblems,
  ...signInProblems,
  ...lateArtifactProblems,
  ...ladderProblems,
  ...gateProblems,
  ...trendProblems,
  ...serviceProblems,
};

export type ProblemCode = keyof typeof problemCatalogue;
export { type ProblemDefinition } from './problem-definition';
