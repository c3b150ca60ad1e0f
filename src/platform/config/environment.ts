import { z } from 'zod';
import { analysisVariables, uploadVariables, workerVariables } from './limit-variables';
import { quotaVariables } from './quota-variables';
import {
  authVariables,
  databaseVariables,
  httpVariables,
  objectStoreVariables,
  queueVariables,
} from './server-variables';
import { oidcVariables, sessionVariables } from './sign-in-variables';
import { streamVariables } from './stream-variables';
import { teamVariables } from './team-variables';
import { telemetryVariables } from './telemetry-variables';
import { webhookVariables } from './webhook-variables';

/** What every process reads, in groups. */
const sharedGroups = {
  'HTTP server': httpVariables,
  'Event streams and downloads': streamVariables,
  'Log, metrics and traces': telemetryVariables,
  Postgres: databaseVariables,
  Queue: queueVariables,
  'Object store (S3)': objectStoreVariables,
  Uploads: uploadVariables,
  Quotas: quotaVariables,
  Analysis: analysisVariables,
  Workers: workerVariables,
  Webhooks: webhookVariables,
} satisfies Record<string, z.ZodRawShape>;

/** What only the API reads, in groups: who holds a worker's environment cannot sign in as anybody. */
const apiGroups = {
  'Sign-in (API only)': { ...authVariables, ...sessionVariables },
  'Sign-in with an OpenID provider (API only)': oidcVariables,
  'Teams (API only)': teamVariables,
} satisfies Record<string, z.ZodRawShape>;

/** Every variable that the product reads, in groups; the order is that of `.env.example`. */
export const variableGroups = { ...sharedGroups, ...apiGroups };

const sharedShape = {
  ...httpVariables,
  ...streamVariables,
  ...telemetryVariables,
  ...databaseVariables,
  ...queueVariables,
  ...objectStoreVariables,
  ...uploadVariables,
  ...quotaVariables,
  ...analysisVariables,
  ...workerVariables,
  ...webhookVariables,
};
const apiShape = {
  ...sharedShape,
  ...authVariables,
  ...sessionVariables,
  ...oidcVariables,
  ...streamVariables,
  ...teamVariables,
};

type Environment = Record<string, unknown>;
type Refuse = (name: string, message: string) => void;

/** The environment of a worker process. */
export const workerEnvironmentSchema = z.object(sharedShape).superRefine((env, context) => {
  refuseSharedContradictions(env, refuseIn(context));
});

/** The environment of the API: that of a worker, and what only the API is told. */
export const apiEnvironmentSchema = z.object(apiShape).superRefine((env, context) => {
  const refuse = refuseIn(context);
  refuseSharedContradictions(env, refuse);
  refuseIncomplete(env, ['BOOTSTRAP_TEAM_SLUG', 'BOOTSTRAP_OWNER_EMAIL', 'BOOTSTRAP_OWNER_PASSWORD'], refuse);
  refuseIncomplete(env, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], refuse);
  if (env.OIDC_ISSUER !== undefined && env.PUBLIC_URL === undefined) {
    refuse('PUBLIC_URL', 'is needed with OIDC_ISSUER: the provider sends people back to it');
  }
  // An access token must not outlive its session, nor a refresh token.
  if (env.REFRESH_TTL_S < env.JWT_TTL_S) refuse('REFRESH_TTL_S', 'must be at least JWT_TTL_S');
  if (env.SESSION_MAX_S < env.REFRESH_TTL_S) refuse('SESSION_MAX_S', 'must be at least REFRESH_TTL_S');
});

function refuseSharedContradictions(env: Environment, refuse: Refuse): void {
  if (env.STALLSCOPE_QUEUE === 'redis' && env.REDIS_URL === undefined) {
    refuse(
      'REDIS_URL',
      'is required; set it, or set STALLSCOPE_QUEUE=postgres to keep the queue in Postgres',
    );
  }
  if (env.STALLSCOPE_QUEUE === 'postgres' && env.REDIS_URL !== undefined) {
    refuse('REDIS_URL', 'is set and STALLSCOPE_QUEUE=postgres too; keep one of the two');
  }
  refuseIncomplete(env, ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], refuse);
}

function refuseIncomplete(env: Environment, names: readonly string[], refuse: Refuse): void {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return;
  for (const name of missing) refuse(name, `is missing; ${names.join(', ')} go together`);
}

function refuseIn(context: z.RefinementCtx): Refuse {
  return (name, message) => context.addIssue({ code: 'custom', path: [name], message });
}
