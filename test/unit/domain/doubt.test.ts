import { expect, test } from '@jest/globals';
import { isPerhapsEarlier } from '../../../src/domain/doubt';

const acme = { userId: '7', displayName: 'Acme Trucking' };
const other = { userId: '8', displayName: 'Other Trucking' };

test.each([
  ['the only acceptance of its carrier', acme, false, false],
  ['that of another carrier', other, false, true],
  ['one of two by its carrier', acme, true, true],
  ['of a carrier that its record does not name', null, false, false],
])('a booking that is %s may come from an earlier acceptance: %j %s %s', (_, carrier, isRepeated, may) => {
  expect(isPerhapsEarlier({ carrier }, { carrier: acme, isRepeated })).toBe(may);
});
