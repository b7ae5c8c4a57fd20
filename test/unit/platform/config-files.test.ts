import { expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '../../../src/platform/config';

const filesOf = (env: Record<string, string>) => readConfig(env).files;

test.each([
  ['s3://shipments', { bucket: 'shipments', prefix: '' }],
  ['s3://shipments/', { bucket: 'shipments', prefix: '' }],
  ['s3://shipments/consign/docs/', { bucket: 'shipments', prefix: 'consign/docs' }],
])('%s is a bucket at AWS, whose region the SDK finds', (CONSIGN_FILES, expected) => {
  expect(filesOf({ CONSIGN_FILES })).toEqual({
    kind: 'bucket',
    ...expected,
    endpoint: null,
    region: null,
  });
});

test('a compatible service has an endpoint, and a region for the signature', () => {
  const CONSIGN_FILES_ENDPOINT = 'http://minio:9000';
  expect(filesOf({ CONSIGN_FILES: 's3://shipments', CONSIGN_FILES_ENDPOINT })).toMatchObject({
    endpoint: CONSIGN_FILES_ENDPOINT,
    region: 'us-east-1',
  });
  expect(
    filesOf({
      CONSIGN_FILES: 's3://shipments',
      CONSIGN_FILES_ENDPOINT,
      CONSIGN_FILES_REGION: 'eu-central-1',
    }),
  ).toMatchObject({ region: 'eu-central-1' });
});

test('a text that is no URL is a folder', () => {
  expect(filesOf({ CONSIGN_FILES: './files' })).toEqual({ kind: 'folder', folder: './files' });
});

test.each([
  [{ CONSIGN_FILES: 's3://' }, 'CONSIGN_FILES'],
  [{ CONSIGN_FILES: 's3://Has_Capitals/x' }, 'CONSIGN_FILES'],
  [{ CONSIGN_FILES: 'gs://bucket' }, 'CONSIGN_FILES'],
  [{ CONSIGN_FILES_ENDPOINT: 'minio:9000' }, 'CONSIGN_FILES_ENDPOINT'],
  [{ CONSIGN_IMAGE_MAX_MB: '0' }, 'CONSIGN_IMAGE_MAX_MB'],
  [{ CONSIGN_CACHED_WORKFLOWS: '1' }, 'CONSIGN_CACHED_WORKFLOWS'],
  [{ CONSIGN_CACHED_WORKFLOWS: 'all' }, 'CONSIGN_CACHED_WORKFLOWS'],
  [{ CONSIGN_SHUTDOWN_GRACE_SECONDS: '39' }, 'CONSIGN_SHUTDOWN_GRACE_SECONDS: give at least 40'],
  [{ CONSIGN_DEPLOYMENT: 'consign' }, 'CONSIGN_BUILD_ID: set it too, because CONSIGN_DEPLOYMENT is set'],
  [{ CONSIGN_BUILD_ID: '2f1c9ab' }, 'CONSIGN_DEPLOYMENT: set it too, because CONSIGN_BUILD_ID is set'],
  [
    { CONSIGN_DEPLOYMENT: 'consign', CONSIGN_BUILD_ID: '' },
    'CONSIGN_BUILD_ID: set it too, because CONSIGN_DEPLOYMENT is set',
  ],
  [{ CONSIGN_DEPLOYMENT: 'con.sign', CONSIGN_BUILD_ID: '1' }, 'CONSIGN_DEPLOYMENT: give a name'],
  [{ CONSIGN_DEPLOYMENT: '__temporal', CONSIGN_BUILD_ID: '1' }, 'CONSIGN_DEPLOYMENT: give a name'],
  [{ CONSIGN_DEPLOYMENT: 'consign', CONSIGN_BUILD_ID: 'consign:1' }, 'CONSIGN_BUILD_ID: give an id'],
  [{ CONSIGN_HELD_PATCHES: 'slower-poll, other' }, 'CONSIGN_HELD_PATCHES: give ids of patches'],
  [{ CONSIGN_HELD_PATCHES: 'slowerPoll' }, 'CONSIGN_HELD_PATCHES: give ids of patches'],
  [{ CONSIGN_METRICS_ADDRESS: '9464' }, 'CONSIGN_METRICS_ADDRESS: give an IP address and a port'],
  [{ CONSIGN_METRICS_ADDRESS: 'localhost:9464' }, 'CONSIGN_METRICS_ADDRESS: give an IP address and a port'],
  [{ CONSIGN_METRICS_ADDRESS: '127.0.0.1:0' }, 'CONSIGN_METRICS_ADDRESS: give an IP address and a port'],
  [{ CONSIGN_METRICS_ADDRESS: '127.0.0.1:65536' }, 'CONSIGN_METRICS_ADDRESS: give an IP address and a port'],
  [{ CONSIGN_METRICS_ADDRESS: '::1:9464' }, 'CONSIGN_METRICS_ADDRESS: give an IP address and a port'],
  [{ CONSIGN_METRICS_STATE_SECONDS: '' }, 'CONSIGN_METRICS_STATE_SECONDS'],
  [{ CONSIGN_METRICS_STATE_SECONDS: '0.5' }, 'CONSIGN_METRICS_STATE_SECONDS'],
])('%j is refused by the name of its variable', (env: Record<string, string>, variable) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(variable);
});

test.each([
  [{}, null],
  [{ CONSIGN_DEPLOYMENT: '', CONSIGN_BUILD_ID: '' }, null],
  [
    { CONSIGN_DEPLOYMENT: 'consign', CONSIGN_BUILD_ID: '2f1c9ab' },
    { deploymentName: 'consign', buildId: '2f1c9ab' },
  ],
  [
    { CONSIGN_DEPLOYMENT: 'freight-eu', CONSIGN_BUILD_ID: '0.2.0+build.7' },
    { deploymentName: 'freight-eu', buildId: '0.2.0+build.7' },
  ],
])('with %j the workers belong to the build: %j', (env: Record<string, string>, version) => {
  expect(readConfig(env).version).toEqual(version);
});

test.each([
  ['', []],
  ['slower-poll', ['slower-poll']],
  ['slower-poll,payment-method-first', ['slower-poll', 'payment-method-first']],
])('CONSIGN_HELD_PATCHES=%s holds %j', (CONSIGN_HELD_PATCHES, held) => {
  expect(readConfig({ CONSIGN_HELD_PATCHES }).heldPatches).toEqual(held);
});

test.each([
  ['', null],
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:1', { host: '0.0.0.0', port: 1 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
])('with CONSIGN_METRICS_ADDRESS=%s metrics are served at %j', (CONSIGN_METRICS_ADDRESS, address) => {
  expect(readConfig({ CONSIGN_METRICS_ADDRESS }).metricsAddress).toEqual(address);
});

test('metrics are off unless they are asked for', () => {
  expect(readConfig({}).metricsAddress).toBeNull();
});
