import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { createActivities, type ActivityDependencies } from '../../src/activities';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import { startSandbox } from '../../sandbox';
import { operations } from '../../sandbox/model/operations';
import { anAccount } from './marketplace/server';

const ROOT = path.join(__dirname, '..', '..');
const read = (...parts: string[]): string => readFileSync(path.join(ROOT, ...parts), 'utf8');

/** The contract's list of endpoints, copied from it and from nothing of ours. */
const CONTRACT = [
  'POST /v2/fixedprice',
  'POST /v2/listings',
  'GET /v2/listings/{listingId}',
  'PUT /v2/listings/{listingId}',
  'DELETE /v2/listings/{listingId}',
  'GET /v2/listings/{listingId}/contacts',
  'GET /v2/listings/{listingId}/track',
  'GET /v2/listings/{id}/billoflading',
  'GET /v2/listings/{listingId}/attachments/{attachmentId}',
  'POST /v2/listings/{listingid}/images',
  'POST /v2/raterequests',
  'GET /v2/raterequests/{id}/rates',
  'POST /v2/rates/{id}/acceptance',
  'GET /v2/rates/{id}/acceptance/status/{executionId}',
  'GET /v2/paymentmethods',
  'GET /v2/lookups/addressTypes',
  'POST /oauth/token',
  'POST {web_url}/mvc/authentication/signin',
  'GET {web_url}/listing/track/{listingId}/trackinglink',
] as const;

interface Row {
  readonly endpoint: string;
  readonly client: readonly string[];
  readonly activities: readonly string[];
  readonly operation: string;
  readonly route: string;
  readonly testFile: string;
  readonly testTitle: string;
}

const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

function rows(): Row[] {
  const lines = read('docs', 'endpoints.md').split('\n');
  return lines
    .filter((line) => /^\| (GET|POST|PUT|DELETE) /.test(line))
    .map((line) => {
      const [endpoint = '', client = '', activity = '', sandbox = '', route = '', contractTest = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const [testFile = '', testTitle = ''] = contractTest.split(/: (.*)/);
      return {
        endpoint,
        client: names(client),
        activities: names(activity),
        operation: names(sandbox)[0] ?? '',
        route: names(route)[0] ?? '',
        testFile: names(testFile)[0] ?? '',
        testTitle,
      };
    });
}

/** Neither is called here; only their names are looked at. */
const marketplace = createMarketplace(anAccount('http://127.0.0.1:9'));
const activities = createActivities({} as ActivityDependencies);
test('the table has the endpoints of the contract, each once', () => {
  expect(rows().map(({ endpoint }) => endpoint)).toEqual(CONTRACT);
});

test('every client method and every activity of the table exists', () => {
  const methods = rows().flatMap(({ client }) => client);
  const named = rows().flatMap((row) => row.activities);
  expect(methods.filter((name) => !(name in marketplace))).toEqual([]);
  expect(named.filter((name) => !(name in activities))).toEqual([]);
  expect(new Set(methods).size).toBe(methods.length);
});

test('the document contains every client method, activity and endpoint of the sandbox', () => {
  const documented = new Set(names(read('docs', 'endpoints.md')));
  const { close: _, ...calls } = marketplace;
  const existing = [...Object.keys(calls), ...Object.keys(activities), ...operations];
  expect(existing.length).toBeGreaterThan(50);
  expect(existing.filter((name) => !documented.has(name))).toEqual([]);
});

test.each(rows())('$endpoint has its client method, its activity and its route', (row) => {
  const isByItself = row.endpoint.includes('/oauth/');
  expect(row.client).toHaveLength(isByItself ? 0 : 1);
  expect(row.activities.length).toBeGreaterThan(isByItself ? -1 : 0);
  const route = read('sandbox', 'routes', row.route);
  expect(operations).toContain(row.operation);
  expect(route).toMatch(new RegExp(`function ${row.operation}\\(`));
});

test.each(rows())(
  '$endpoint is the address of its endpoint in the sandbox',
  async ({ endpoint, operation }) => {
    const sandbox = await startSandbox();
    const [method = '', url = ''] = endpoint.split(' ');
    const address = url.replace('{web_url}', '').replaceAll(/\{\w+\}/g, '123456789');
    await request(`${sandbox.url}${address}`, { method: method as 'GET' });
    expect(sandbox.requests()).toMatchObject([{ operation, method, path: address }]);
    await sandbox.close();
  },
);

test.each(rows())('$endpoint has its contract test', ({ testFile, testTitle }) => {
  const source = read('test', 'contract', testFile).replace(/\\'/g, "'");
  expect(testTitle.length).toBeGreaterThan(20);
  expect(source).toContain(`'${testTitle}'`);
});
