import { expect, test } from '@jest/globals';
import {
  recogniseListingStatus,
  recogniseTransitStatus,
  shownWord,
} from '../../../src/domain/listing-status';

test.each([
  [['Booked'], 'Booked'],
  [['booked'], 'Booked'],
  [['3', 'Booked'], 'Booked'],
  [['On Hold'], 'OnHold'],
  [['ON_HOLD'], 'OnHold'],
  [['Complete'], 'Completed'],
  [['canceled'], 'Cancelled'],
  [['ListingStatus.Booked'], 'Booked'],
  [['Delivered To Consignee'], 'Delivered'],
  [['picked up'], 'PickedUp'],
  [['3', 'Gebucht'], null],
  [['3'], null],
  [['Not booked'], null],
  [[], null],
])('the listing status of the words %j is %s', (words, status) => {
  expect(recogniseListingStatus(words, {})).toBe(status);
});

test.each([
  [['Delivered To Consignee'], 'Delivered'],
  [['delivered to customer'], 'Delivered'],
  [['Complete'], 'Delivered'],
  [['picked-up'], 'PickedUp'],
  [['2', 'Ready For Dispatch'], 'ReadyForDispatch'],
  [['Delivered to terminal'], null],
  [['Booked'], null],
])('the transit status of the words %j is %s', (words, status) => {
  expect(recogniseTransitStatus(words, {})).toBe(status);
});

test.each([
  [['Gebucht'], 'Booked'],
  [['GEBUCHT '], 'Booked'],
  [['3', 'x'], 'Cancelled'],
  [['Complete'], 'Booked'],
  [['Active'], 'Active'],
])("with an account's own names the words %j are %s", (words, status) => {
  const names = { gebucht: 'Booked', '3': 'Cancelled', Complete: 'Booked' } as const;
  expect(recogniseListingStatus(words, names)).toBe(status);
});

test('of an unknown status the first word with letters is shown', () => {
  expect(shownWord(['3', 'Gebucht', 'g'])).toBe('Gebucht');
  expect(shownWord(['3'])).toBe('3');
  expect(shownWord([])).toBeNull();
});
