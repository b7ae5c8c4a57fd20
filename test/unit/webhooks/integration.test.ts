import { expect, test } from '@jest/globals';
import { isSecret } from '../../../src/platform/network/bearer-token';
import { presentedSecret } from '../../../src/webhooks/integration';

test.each([
  ['the secret itself', 'abc', 'abc', true],
  ['another of the same length', 'abd', 'abc', false],
  ['a beginning of it', 'ab', 'abc', false],
  ['a longer one', 'abcd', 'abc', false],
  ['one in other letters', 'ABC', 'abc', false],
  ['an empty one', '', 'abc', false],
  ['none', undefined, 'abc', false],
  ['none, where the secret is empty', undefined, '', false],
  ['one beyond ASCII', 'schlüssel', 'schlüssel', true],
])('whether %s is the secret', (_which, given, secret, verdict) => {
  expect(isSecret(given, secret)).toBe(verdict);
});

test.each([
  ['in the path', 'p', {}, 'p'],
  ['as a bearer token', undefined, { authorization: 'Bearer b' }, 'b'],
  ['as a bearer token in small letters', undefined, { authorization: 'bearer b' }, 'b'],
  ['as a bearer token in capitals', undefined, { authorization: 'BEARER b' }, 'b'],
  ['as a bearer token after two blanks', undefined, { authorization: 'Bearer  b' }, 'b'],
  ['nowhere in a scheme that begins alike', undefined, { authorization: 'Bearers b' }, undefined],
  ['in the header', undefined, { 'x-webhook-secret': 'h' }, 'h'],
  ['nowhere', undefined, {}, undefined],
  ['with a blank in it', undefined, { authorization: 'Bearer a b' }, 'a b'],
  ['in the path before the bearer token', 'p', { authorization: 'Bearer b', 'x-webhook-secret': 'h' }, 'p'],
  [
    'as a bearer token before the header',
    undefined,
    { authorization: 'Bearer b', 'x-webhook-secret': 'h' },
    'b',
  ],
  [
    'in the header beside another scheme',
    undefined,
    { authorization: 'Basic b', 'x-webhook-secret': 'h' },
    'h',
  ],
  ['twice in the header, which is none', undefined, { 'x-webhook-secret': ['h', 'i'] }, undefined],
])('a secret is found %s', (_where, path, headers, found) => {
  expect(presentedSecret(path, headers)).toBe(found);
});
