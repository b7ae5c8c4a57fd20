import { expect, test } from '@jest/globals';
import { executionIdOf, listingIdOf, ownLocation, rateRequestIdOf } from '../../../src/marketplace/location';

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
  const urls = ['https://api.example.com/base', 'https://www.example.com'];
  expect(ownLocation(location, urls)).toBe(isOwn ? location?.trim() : null);
});
