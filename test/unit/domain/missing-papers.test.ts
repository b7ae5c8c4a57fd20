import { expect, test } from '@jest/globals';
import {
  askAgain,
  clearMissingPaper,
  forgetMissingPapers,
  isAskedAgain,
  missingOf,
  markPaperMissing,
  paperWindowStart,
  refuseFetching,
} from '../../../src/domain/missing-papers';
import { initialState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment } from '../../support/builders';

const start = initialState(aFurnitureShipment());
const notice = 'the bill of lading did not become ready';

test.each([
  ['the pickup day when the booking is before', '2035-03-01T10:00:00.000Z', null, '2035-03-09T00:00:00.000Z'],
  ['the booking when it is later', '2035-03-09T10:00:00.000Z', null, '2035-03-09T10:00:00.000Z'],
  [
    'the pickup itself when it was early',
    '2035-03-01T10:00:00.000Z',
    '2035-03-07T08:00:00.000Z',
    '2035-03-07T08:00:00.000Z',
  ],
  [
    'the booking when it was read after the pickup',
    '2035-03-08T10:00:00.000Z',
    '2035-03-07T08:00:00.000Z',
    '2035-03-08T10:00:00.000Z',
  ],
])('the window of papers counts from %s', (_, bookedAt, pickedUpAt, expected) => {
  expect(paperWindowStart(bookedAt, '2035-03-09', pickedUpAt)).toBe(expected);
});

test('a missing paper is requested once for each reason', () => {
  const missing = markPaperMissing(start, 'billOfLading', notice);
  expect(isAskedAgain(missing, 'billOfLading')).toBe(false);
  const asked = askAgain(missing);
  expect(isAskedAgain(asked, 'billOfLading')).toBe(true);
  const still = markPaperMissing(asked, 'billOfLading', notice);
  expect(isAskedAgain(still, 'billOfLading')).toBe(false);
  expect(still.notices).toEqual([notice]);
});

test('only the notice of the paper that came is removed', () => {
  const both = markPaperMissing(
    markPaperMissing(start, 'billOfLading', notice),
    { attachmentId: '7' },
    'attachment 7 was not fetched',
  );
  const found = clearMissingPaper(both, 'billOfLading');
  expect(found.notices).toEqual(['attachment 7 was not fetched']);
  expect(forgetMissingPapers(found)).toMatchObject({ notices: [], missingPapers: [] });
});

test.each(['7', '70', 'billOfLading'])(
  'only its id distinguishes an attachment from other papers: %s',
  (attachmentId) => {
    const missing = markPaperMissing(markPaperMissing(start, 'billOfLading', notice), { attachmentId }, null);
    expect(missingOf(missing, { attachmentId })).toMatchObject({ paper: { attachmentId } });
    expect(missingOf(missing, { attachmentId: `${attachmentId}1` })).toBeUndefined();
    expect(clearMissingPaper(missing, { attachmentId }).missingPapers).toMatchObject([
      { paper: 'billOfLading' },
    ]);
  },
);

test('an event counts as a reason only while something is missing', () => {
  expect(askAgain(start)).toBe(start);
});

test.each([
  ['nobody', { by: '', reason: 'x' }, 'say who asks: `by` must not be empty'],
  ['no reason', { by: 'Pat', reason: ' ' }, 'say why: `reason` must not be empty'],
  [
    'an order that is not booked',
    { by: 'Pat', reason: 'x' },
    'the shipment is not booked, so it has no documents',
  ],
])('%s has documents asked for again', (_, statement, why) => {
  expect(refuseFetching(start, statement)).toBe(why);
});

test('documents are asked for again as long as one is missing', () => {
  const statement = { by: 'Pat', reason: 'the carrier sent it' };
  const booked = { ...start, bookedAt: '2035-03-01T10:00:00.000Z' };
  expect(refuseFetching(booked, statement)).toBeNull();
  const complete = { ...booked, billOfLading: 'unavailable', contacts: 'known', trackingLink: { url: null } };
  expect(refuseFetching(complete, statement)).toBe('no document is missing');
  expect(refuseFetching(markPaperMissing(complete, 'billOfLading', notice), statement)).toBeNull();
});
