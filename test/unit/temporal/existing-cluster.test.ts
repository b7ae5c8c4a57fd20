import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { findCluster } from '../../../src/temporal/existing-cluster';
import { temporaryFolder } from '../../support/temporary-folder';

function writeConfig(text: string): string {
  const file = path.join(temporaryFolder(), 'temporal.toml');
  writeFileSync(file, text);
  return file;
}

/** A home folder whose Temporal config file has a default profile with an address and a key. */
function homeWithProfile(): { readonly XDG_CONFIG_HOME: string; readonly HOME: string } {
  const home = temporaryFolder();
  const text =
    '[profile.default]\naddress = "production.example:7233"\napi_key = "secret"\n[profile.empty]\nnamespace = "x"\n';
  for (const folder of [
    path.join(home, 'temporalio'),
    path.join(home, 'Library', 'Application Support', 'temporalio'),
  ]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'temporal.toml'), text);
  }
  return { XDG_CONFIG_HOME: home, HOME: home };
}

test('an environment without Temporal settings names no cluster', () => {
  expect(findCluster({ HOME: temporaryFolder(), PATH: '/bin' })).toBeNull();
});

test('TEMPORAL_ADDRESS names a cluster, in the namespace default', () => {
  expect(findCluster({ TEMPORAL_ADDRESS: 'temporal.example:7233' })).toMatchObject({
    kind: 'cluster',
    address: 'temporal.example:7233',
    namespace: 'default',
    uiUrl: null,
    description: 'Temporal at temporal.example:7233, namespace default (from TEMPORAL_ADDRESS)',
  });
});

test('a Temporal Cloud address with an API key is used with TLS, and its web UI is known', () => {
  const cluster = findCluster({
    TEMPORAL_ADDRESS: 'eu-central-1.aws.api.temporal.io:7233',
    TEMPORAL_NAMESPACE: 'shipments.a1b2c',
    TEMPORAL_API_KEY: 'key',
  });
  expect(cluster).toMatchObject({
    namespace: 'shipments.a1b2c',
    connectionOptions: { apiKey: 'key', tls: true },
    uiUrl: 'https://cloud.temporal.io',
  });
  expect(cluster?.description).not.toContain('key,');
});

test('TEMPORAL_UI_URL gives the web UI of a cluster', () => {
  const env = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_UI_URL: 'https://ui.example' };
  expect(findCluster(env)?.uiUrl).toBe('https://ui.example');
});

test('an empty setting counts as not set', () => {
  expect(findCluster({ TEMPORAL_ADDRESS: '', TEMPORAL_PROFILE: '', TEMPORAL_API_KEY: '' })).toBeNull();
});

test('a profile of a given config file names a cluster', () => {
  const file = writeConfig('[profile.staging]\naddress = "staging.example:7233"\nnamespace = "freight"\n');
  expect(findCluster({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'staging' })).toMatchObject({
    address: 'staging.example:7233',
    namespace: 'freight',
    description: 'Temporal at staging.example:7233, namespace freight (from profile staging)',
  });
});

test('the config file in the home folder is not used unless a profile is asked for', () => {
  const home = homeWithProfile();
  expect(findCluster(home)).toBeNull();
  expect(findCluster({ ...home, TEMPORAL_PROFILE: 'default' })?.address).toBe('production.example:7233');
});

test('an address alone does not take the API key of the config file in the home folder', () => {
  const cluster = findCluster({ ...homeWithProfile(), TEMPORAL_ADDRESS: '127.0.0.1:7233' });
  expect(cluster?.connectionOptions.apiKey).toBeUndefined();
});

test('a profile without an address is refused', () => {
  expect(() => findCluster({ ...homeWithProfile(), TEMPORAL_PROFILE: 'empty' })).toThrow(
    "Profile empty of the user's Temporal config file names no address",
  );
});

test('a profile that is not in the file is refused by its name', () => {
  const env = { ...homeWithProfile(), TEMPORAL_PROFILE: 'nope' };
  expect(() => findCluster(env)).toThrow(
    "The Temporal settings (TEMPORAL_*) cannot be read: Profile 'nope' not found in config data",
  );
});

test('a config file that does not exist is refused by its name', () => {
  const file = path.join(temporaryFolder(), 'none.toml');
  expect(() => findCluster({ TEMPORAL_CONFIG_FILE: file })).toThrow(
    `TEMPORAL_CONFIG_FILE is ${file}, which does not exist.`,
  );
});

test('a config file that is not TOML is refused with the reason', () => {
  expect(() => findCluster({ TEMPORAL_CONFIG_FILE: writeConfig('not toml at all') })).toThrow(
    'The Temporal settings (TEMPORAL_*) cannot be read: Invalid TOML document',
  );
});

test('a config file without profiles is refused with a sentence', () => {
  expect(() => findCluster({ TEMPORAL_CONFIG_FILE: writeConfig('# nothing\n') })).toThrow('TEMPORAL_');
});

test('an API key without an address is refused, because it was meant for some cluster', () => {
  expect(() => findCluster({ TEMPORAL_API_KEY: 'key' })).toThrow('TEMPORAL_API_KEY is set, but no address');
});
