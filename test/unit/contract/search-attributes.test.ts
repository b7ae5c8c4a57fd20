import { expect, test } from '@jest/globals';
import { referencesPair, startPairs } from '../../../src/contract/search-attributes';
import { attributeOf } from '../../../src/domain/bounds';
import { aFurnitureShipment } from '../../support/builders';

/** Of one attribute, as the server measures it. */
const SERVER_BYTES = 2_048;

/** As many as an order document may have, each as long as it may be. */
const references = (count: number, filler: string) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ type: 'PurchaseOrder', label: null },
    number: `${index}-`.padEnd(60, filler),
  }));

test.each([
  ['34 long numbers', references(34, '7')],
  ['60 numbers of quotes', references(60, '"')],
  ['200 numbers of other letters', references(200, '号')],
])('an order with %s can be started and found by the last of them', (_what, given) => {
  const shipment = aFurnitureShipment({ references: given });
  const { value } = referencesPair(shipment);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(SERVER_BYTES);
  expect(value.length).toBeGreaterThan(5);
  expect(value.at(-1)).toBe(attributeOf(given.at(-1)?.number ?? ''));
  expect(startPairs(shipment).map(({ value: one }) => JSON.stringify(one))).toContain(JSON.stringify(value));
});

test('a few numbers are all kept, each once', () => {
  const given = [...references(3, 'x'), ...references(3, 'x')];
  expect(referencesPair(aFurnitureShipment({ references: given })).value).toEqual(
    references(3, 'x').map(({ number }) => number),
  );
});
