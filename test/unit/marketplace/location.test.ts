import { expect, test } from '@jest/globals';
import { executionIdOf, listingIdOf, rateRequestIdOf, readLocation } from '../../../src/marketplace/location';

const hosts = { ownUrls: ['https://api.example.com/base', 'https://www.example.com'], accepted: [] };

test.each([
  ['https://host/v2/listings/273679133', '273679133'],
  ['https://host/v2/listings/273679133/?x=1', '273679133'],
  ['/v2/listings/273679133', '273679133'],
  ['listings/273679133', '273679133'],
  ['273679133', '273679133'],
  ['//host/v2/listings/273679133', '273679133'],
  ['https://host/v2/listings/', null],
  ['https://host/', null],
  ['', null],
  [null, null],
])('the listing of Location %s is %s', (location, id) => {
  expect(listingIdOf(location)).toBe(id);
});

test.each([
  ['https://host/v2/raterequests/5f0c2a6b9d3e4f1a2b3c4d5e/rates', '5f0c2a6b9d3e4f1a2b3c4d5e'],
  ['/v2/raterequests/abc', 'abc'],
  ['abc', 'abc'],
  ['https://host/v2/raterequests//rates', null],
  ['https://host/v2/other/abc', null],
  [null, null],
])('the rate request of Location %s is %s', (location, id) => {
  expect(rateRequestIdOf(location)).toBe(id);
});

test.each([
  ['https://host/v2/rates/r-1/acceptance/status/9b2d', '9b2d'],
  ['9b2d', '9b2d'],
  ['https://host/v2/listings/273679133', null],
  ['https://host/v2/rates/r-1/acceptance/status/', null],
  [null, null],
])('the execution of Location %s is %s', (location, id) => {
  expect(executionIdOf(location)).toBe(id);
});

test.each([
  ['https://api.example.com/v2/listings/1', true],
  ['https://API.example.com:8443/v2/listings/1', true],
  ['http://api.example.com/v2/listings/1', true],
  ['https://www.example.com/v2/listings/1', true],
  ['//api.example.com/v2/listings/1', true],
  [' /v2/listings/1 ', true],
  ['listings/1', true],
  ['273679133', true],
  ['https://elsewhere.example/v2/listings/1', false],
  ['//elsewhere.example/v2/listings/1', false],
  ['https://api.example.com.elsewhere.example/v2/listings/1', false],
  ['https://api.example.com@elsewhere.example/v2/listings/1', false],
  ['urn:listings:1', false],
  ['https://', false],
  ['', false],
  [null, false],
])("whether Location %j is the marketplace's own: %s", (location, isOwn) => {
  expect(readLocation(location, hosts).own).toBe(isOwn ? location?.trim() : null);
});

test.each([
  ['https://api.internal.example/v2/listings/1', true],
  ['https://API.Internal.example:8443/v2/listings/1', true],
  ['//gateway/v2/listings/1', true],
  ['https://internal.example/v2/listings/1', false],
  ['https://x.api.internal.example/v2/listings/1', false],
])('whether the Location %s names a host that the account accepts: %s', (location, isOwn) => {
  const accepted = ['API.internal.example', 'gateway'];
  expect(readLocation(location, { ...hosts, accepted }).own).toBe(isOwn ? location : null);
});

test.each([
  ['https://elsewhere.example:81/v2/raterequests/abc/rates?key=secret', 'elsewhere.example'],
  ['//pat:secret@elsewhere.example/v2/raterequests/abc', 'elsewhere.example'],
  ['https://10.0.0.7/v2/raterequests/abc', '10.0.0.7'],
])('only the host of a foreign Location is shown: %s', (location, foreignHost) => {
  expect(readLocation(location, hosts)).toEqual({ ofAnyHost: location, own: null, foreignHost });
  expect(rateRequestIdOf(readLocation(location, hosts).ofAnyHost)).toBe('abc');
});

test.each(['urn:raterequests:abc', 'mailto:abc', 'https://', ''])(
  '%j is not a Location of any host',
  (location) => {
    expect(readLocation(location, hosts)).toEqual({ ofAnyHost: null, own: null, foreignHost: null });
  },
);

test.each([
  ['/v2/listings/77;jsessionid=1A2B', '77'],
  ['https://host/v2/listings/77;JSESSIONID=1A2B.node1?x=1', '77'],
  ['https://host/v2;v=1/listings/77;a=1;b=2', '77'],
  ['77;jsessionid=1A2B', '77'],
  ['/v2/listings/77%3Bjsessionid=1A2B', '77'],
])('path parameters are no part of the listing id in %s', (location, id) => {
  expect(listingIdOf(location)).toBe(id);
});

test("path parameters are no part of a rate request's or execution's id", () => {
  expect(rateRequestIdOf('/v2/raterequests/abc;jsessionid=1/rates;jsessionid=1')).toBe('abc');
  expect(executionIdOf('/v2/rates/r/acceptance/status/e-1;jsessionid=1')).toBe('e-1');
});
