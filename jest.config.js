const { availableParallelism } = require('node:os');

const common = {
  testEnvironment: 'node',
  rootDir: __dirname,
  transform: { '^.+\\.ts$': ['@swc/jest', { sourceMaps: 'inline' }] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.stallscope/'],
};

/** `unit` needs nothing but Node; `integration` runs against real Postgres, Redis and S3 started by the harness. */
module.exports = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{src,workers,infra,web}/**/*.test.ts',
        '<rootDir>/test/{architecture,builders,golden,corpus}/**/*.test.ts',
      ],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/{contract,e2e,web}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/harness/global-setup.ts',
      globalTeardown: '<rootDir>/test/harness/global-teardown.ts',
    },
  ],
  // Most suites wait for servers more than they compute.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testTimeout: 60_000,
  collectCoverageFrom: ['src/analysis/**/*.ts', '!**/*.test.ts'],
};
