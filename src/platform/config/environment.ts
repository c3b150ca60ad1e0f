import { z } from 'zod';
import { analysisVariables, uploadVariables, workerVariables } from './limit-variables';
import {
  authVariables,
  databaseVariables,
  httpVariables,
  objectStoreVariables,
  queueVariables,
} from './server-variables';

/** Every variable that the product reads, in groups; the order is that of `.env.example`. */
export const variableGroups = {
  'HTTP server': httpVariables,
  Postgres: databaseVariables,
  Queue: queueVariables,
  'Object store (S3)': objectStoreVariables,
  'Sign-in': authVariables,
  Uploads: uploadVariables,
  Analysis: analysisVariables,
  Workers: workerVariables,
} satisfies Record<string, z.ZodRawShape>;

const shape = {
  ...httpVariables,
  ...databaseVariables,
  ...queueVariables,
  ...objectStoreVariables,
  ...authVariables,
  ...uploadVariables,
  ...analysisVariables,
  ...workerVariables,
};

const variables = z.object(shape);
type Variable = keyof typeof shape;
type Input = Partial<Record<Variable, unknown>>;

/** The one schema of the environment. */
export const environmentSchema = variables.superRefine((env, context) => {
  const refuse = (name: Variable, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
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
  refuseIncomplete(env, ['BOOTSTRAP_TEAM_SLUG', 'BOOTSTRAP_OWNER_EMAIL', 'BOOTSTRAP_OWNER_PASSWORD'], refuse);
});

function refuseIncomplete(
  env: Input,
  names: Variable[],
  refuse: (name: Variable, message: string) => void,
): void {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return;
  for (const name of missing) refuse(name, `is missing; ${names.join(', ')} go together`);
}
