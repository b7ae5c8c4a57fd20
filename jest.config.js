const ES_MODULES = '/node_modules/content-disposition/.+\\.js$';

/** One project a test level, so that `jest --selectProjects unit` runs one of them. */
const level = (name, extra = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  setupFiles: ['plain-output', 'network-guard'].map((name) => `<rootDir>/test/support/${name}.ts`),
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022', keepClassNames: true },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
    // An ES module that a package of the HTTP API requires: Node.js can, jest cannot.
    [ES_MODULES]: ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!content-disposition/)'],
  ...extra,
});

/** Every value of every switch of the sandbox must be met by a client; the teardown of a whole run says which was not. */
const contract = {
  globalSetup: '<rootDir>/test/support/contract-setup.ts',
  globalTeardown: '<rootDir>/test/support/contract-teardown.ts',
};

module.exports = {
  // `npm test` runs all but the last two: `long` waits out what carriers and outages may take, `cluster` needs PostgreSQL.
  projects: [
    level('unit'),
    level('contract', contract),
    ...['workflow', 'replay', 'e2e'].map((name) => level(name)),
    // Several worlds at once on a busy machine; each wait has a patience of its own, and says what it waited for.
    level('long', { testTimeout: 300_000 }),
    level('cluster'),
  ],
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  globalTeardown: '<rootDir>/test/support/run-folder-teardown.ts',
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  testTimeout: 120_000,
  // Most tests wait for servers and processes; four at a time keep a machine of two cores busy.
  maxWorkers: 4,
};
