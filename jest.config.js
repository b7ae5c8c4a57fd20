/** One project a test level, so that `jest --selectProjects unit` runs one of them. */
const level = (name, extra = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/network-guard.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022', keepClassNames: true },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...extra,
});

module.exports = {
  projects: [level('unit'), level('contract'), level('workflow'), level('replay'), level('e2e')],
  testTimeout: 60_000,
  // Most tests wait for servers and processes; three at a time keep a machine of two cores busy.
  maxWorkers: 3,
};
