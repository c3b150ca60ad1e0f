import { childEnvironment } from './child-environment';

it('passes a child what it needs to reach the object store, and no secret of ours', () => {
  const env = {
    AWS_ROLE_ARN: 'arn',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    TZ: 'UTC',
    DATABASE_URL: 'postgres://user:secret@host/db',
    REDIS_URL: 'redis://:secret@host',
    JWT_SECRET: 'secret',
    S3_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--require /evil.js',
    PATH: '/usr/bin',
    HOME: undefined,
  };
  expect(childEnvironment(env)).toEqual({ AWS_ROLE_ARN: 'arn', NODE_EXTRA_CA_CERTS: '/ca.pem', TZ: 'UTC' });
});
