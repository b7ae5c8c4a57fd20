import { expect, test } from '@jest/globals';
import type { LtlItem, LtlShipment } from '../../../src/domain/shipment';
import { causesText, emptyRateCauses } from '../../../src/domain/empty-rates';
import { renderCauses } from '../../../src/starter/cli/show-quote';
import { anLtlShipment, aStop } from '../../support/builders';

/** A Thursday, in the middle of the day in Chicago. */
const requestedAt = '2035-03-01T18:00:00.000Z';
const on = (day: string): LtlShipment['pickup'] => ({ type: 'on', earliest: day, latest: day });
const [tiles] = anLtlShipment().items as readonly [LtlItem];

function causesOf(over: Partial<LtlShipment>): string[] {
  const causes = emptyRateCauses(anLtlShipment(over), { requestedAt, closedDays: [] });
  return causes.map(({ path, problem }) => `${path}: ${problem}`);
}

test('a request that breaks none of the known rules has no known cause, and the text says so', () => {
  expect(causesOf({})).toEqual([]);
  expect(renderCauses([], 20_000)).toMatch(/No known cause matches.*20 s/);
});

test.each<[string, Partial<LtlShipment>, string]>([
  [
    'a pickup between two days',
    { pickup: { type: 'between', earliest: '2035-03-06', latest: '2035-03-07' } },
    'not on one single day',
  ],
  [
    'a pickup of two days that says on',
    { pickup: { ...on('2035-03-07'), earliest: '2035-03-06' } },
    'single day',
  ],
  ['a past pickup', { pickup: on('2035-02-28') }, 'is past'],
  ['a pickup today', { pickup: on('2035-03-01') }, 'is today'],
  ['a pickup on a Saturday', { pickup: on('2035-03-03') }, 'is a Saturday'],
  ['a pickup on a holiday', { pickup: on('2035-07-04') }, 'is a public holiday: Independence Day'],
  ['too heavy', { items: [{ ...tiles, weightInGrams: 4_000_000 }] }, '8000 kg in all'],
  ['too light', { items: [{ ...tiles, weightInGrams: 20_000 }] }, '40 kg in all'],
  ['too many units', { items: [{ ...tiles, quantity: 21 }] }, '21 handling units'],
  ['too long', { items: [{ ...tiles, lengthInMeters: 9 }] }, '$.items[0].size.length: a length of 9 m'],
  ['too wide', { items: [{ ...tiles, widthInMeters: 2.6 }] }, '$.items[0].size.width'],
  ['too high', { items: [{ ...tiles, heightInMeters: 2.8 }] }, '$.items[0].size.height'],
  ['a class that is none', { items: [{ ...tiles, freightClass: '75' }] }, 'no freight class 75'],
  [
    'neither class nor weight',
    { items: [{ ...tiles, freightClass: null, weightInGrams: null }] },
    'neither a freight class',
  ],
  ['a commodity of full loads', { items: [{ ...tiles, commodity: 'NaturalSands' }] }, 'NaturalSands is none'],
  ['hazardous goods', { items: [{ ...tiles, hazardous: true }] }, 'hazardous'],
  [
    'a house without liftgate',
    { destination: aStop({ services: { ...aStop().services, liftgate: false } }) },
    '$.destination.services.liftgate: Residence has no dock',
  ],
  [
    'a place without type or liftgate',
    { origin: aStop({ addressType: null, services: { ...aStop().services, liftgate: false } }) },
    'counts as Residence',
  ],
])('%s is named as a cause, alone', (_, over, sentence) => {
  expect(causesOf(over)).toEqual([expect.stringContaining(sentence)]);
});

test('the day counts in the zone of the pickup: in Auckland it is already Friday', () => {
  const origin = aStop({ timeZone: 'Pacific/Auckland' });
  expect(causesOf({ origin, pickup: on('2035-03-02') })).toEqual([expect.stringContaining('is today')]);
  expect(causesOf({ pickup: on('2035-03-02') })).toEqual([]);
});

test('the proposed day is a business day after today', () => {
  const propose = (day: string, closedDays: readonly string[] = []) =>
    emptyRateCauses(anLtlShipment({ pickup: on(day) }), { requestedAt, closedDays }).map(
      ({ remedy }) => remedy,
    );
  expect(propose('2035-02-28')).toEqual(['write {"on": "2035-03-02"}']);
  expect(propose('2035-03-03')).toEqual(['write {"on": "2035-03-05"}']);
  expect(propose('2035-03-03', ['2035-03-05'])).toEqual(['write {"on": "2035-03-06"}']);
});

test('the limits themselves are allowed, and a stop with a dock needs no liftgate', () => {
  const items = [{ ...tiles, quantity: 20, lengthInMeters: 8.53, widthInMeters: 2.59, heightInMeters: 2.74 }];
  const origin = aStop({
    addressType: 'BusinessWithLoadingDockOrForklift',
    services: { ...aStop().services, liftgate: false },
  });
  expect(causesOf({ items, origin })).toEqual([]);
});

test('several causes are named at once', () => {
  const items = [{ ...tiles, quantity: 21, commodity: 'Beverages' }];
  expect(causesOf({ items, pickup: on('2035-03-04') })).toHaveLength(3);
});

const textOf = (over: Partial<LtlShipment>) =>
  causesText(emptyRateCauses(anLtlShipment(over), { requestedAt, closedDays: [] }), 20_000);

test.each<[string, Partial<LtlShipment>, string]>([
  [
    'too many units',
    { items: [{ ...tiles, quantity: 21 }] },
    '21 handling units are more than LTL usually takes',
  ],
  ['a pickup on a Sunday', { pickup: on('2035-03-04') }, 'is a Sunday (write {"on": "2035-03-05"})'],
  ['nothing known', {}, 'None of the known causes matches the order: no carrier may serve this route or day'],
])('the text of a question names the cause: %s', (_, over, sentence) => {
  expect(textOf(over)).toContain(sentence);
});

test('the text of a question names five causes and counts the rest', () => {
  const items = Array.from({ length: 9 }, () => ({ ...tiles, commodity: 'Beverages' }));
  expect(textOf({ items }).match(/Beverages is none/g)).toHaveLength(5);
  expect(textOf({ items })).toMatch(/and \d more, which `consign quote FILE` shows/);
});
