import { z } from 'zod';
import { flag, integer, origins, port, sizeBytes, url } from './variable-types';
import { optional, required, withDefault } from './variable';

const shortestSecret = 32;
const slug = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The HTTP server. */
export const httpVariables = {
  HOST: withDefault('Address to listen on. 0.0.0.0 in a container.', '127.0.0.1', z.string().min(1)),
  PORT: withDefault('Port to listen on; 0 takes a free one.', '8080', port()),
  PUBLIC_URL: optional(
    'The address under which clients reach the API, when a proxy stands in front. https turns on HSTS.',
    url('http', 'https'),
  ),
  TRUST_PROXY_HOPS: withDefault(
    'How many reverse proxies of your own stand in front; their X-Forwarded-For is then believed. 0 believes nobody.',
    '0',
    integer(0, 16),
  ),
  SHUTDOWN_DELAY_S: withDefault(
    'How long the API, told to stop, still takes requests while /health/ready says no, so that load balancers turn away, seconds.',
    '0',
    integer(0, 300),
  ),
  CORS_ORIGINS: withDefault(
    'Origins of web pages elsewhere that may call the API from a browser, with commas between them, such as ' +
      'https://app.example.org. None unless given; exact ones only.',
    '',
    origins(),
  ),
  REQUEST_BODY_BYTES: withDefault(
    'Largest JSON body of a request. Files do not travel in JSON.',
    '1MiB',
    sizeBytes(1024, 64 * 2 ** 20),
  ),
};

/** Postgres. */
export const databaseVariables = {
  DATABASE_URL: required(
    'Postgres. The role in it may own the tables; the product itself always works as role stallscope_app.',
    url('postgresql', 'postgres'),
  ),
  DATABASE_POOL_SIZE: withDefault(
    'Connections to Postgres per process; a worker needs five at least.',
    '10',
    integer(5, 500),
  ),
};

/** The queue. */
export const queueVariables = {
  REDIS_URL: optional(
    'Redis or Valkey, for the queue. Needed unless STALLSCOPE_QUEUE=postgres.',
    url('redis', 'rediss'),
  ),
  STALLSCOPE_QUEUE: withDefault(
    'redis, or postgres to keep the queue in DATABASE_URL (small installations, no Redis).',
    'redis',
    z.enum(['redis', 'postgres'], 'must be redis or postgres'),
  ),
  QUEUE_PREFIX: withDefault(
    'Prefix of every queue key, so that installations can share one Redis.',
    'stallscope',
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 of a-z, 0-9, _ and -'),
  ),
};

/** The object store, anything that speaks S3. */
export const objectStoreVariables = {
  S3_ENDPOINT: optional('Address of the object store; leave out for AWS.', url('http', 'https')),
  S3_PUBLIC_ENDPOINT: optional(
    'Address of the object store as clients reach it, for presigned URLs, when it is not S3_ENDPOINT.',
    url('http', 'https'),
  ),
  S3_REGION: withDefault('Region of the bucket.', 'us-east-1', z.string().min(1)),
  S3_BUCKET: required(
    'Bucket that holds the artifacts. It must exist, and no other installation may use it.',
    z.string().min(3).max(63),
  ),
  S3_ACCESS_KEY_ID: optional('Access key; leave out to use the role of the machine.', z.string().min(1)),
  S3_SECRET_ACCESS_KEY: optional('Secret of the access key.', z.string().min(1)),
  S3_FORCE_PATH_STYLE: withDefault(
    'true for stores that want the bucket in the path (MinIO, Ceph and most others outside AWS).',
    'false',
    flag(),
  ),
};

/** Sign-in, and the first team of an empty installation. */
export const authVariables = {
  JWT_SECRET: required(
    'Secret that signs access tokens, 32 characters or more: openssl rand -base64 48',
    z.string().min(shortestSecret, `must have at least ${shortestSecret} characters`),
  ),
  JWT_TTL_S: withDefault(
    'How long an access token of a person is good, seconds.',
    '900',
    integer(60, 86_400),
  ),
  BOOTSTRAP_TEAM_SLUG: optional(
    'Team to create at start when it does not exist yet. The three BOOTSTRAP variables go together.',
    z.string().regex(slug, 'must be 1 to 63 of a-z, 0-9 and -, without - at either end'),
  ),
  BOOTSTRAP_OWNER_EMAIL: optional(
    'E-mail address of the owner of that team.',
    z.email('must be an e-mail address'),
  ),
  BOOTSTRAP_OWNER_PASSWORD: optional(
    'Password of that owner, 12 characters or more.',
    z.string().min(12, 'must have at least 12 characters').max(200),
  ),
};
