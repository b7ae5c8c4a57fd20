import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { compareShape } from '../../../src/marketplace/conformance/shape';
import { listingAnswerSchema } from '../../../src/marketplace/schemas/listings';

const TABLE = path.join(__dirname, '..', '..', '..', 'docs', 'listing-record.md');
const rows = [...readFileSync(TABLE, 'utf8').matchAll(/^\| `(\w+)` +\| (yes|no) +\|/gm)].map(
  ([, field = '', read = '']) => ({ field, isRead: read === 'yes' }),
);

test('the table of the record says for each field whether it is read, and names none twice', () => {
  const record = { ...Object.fromEntries(rows.map(({ field }) => [field, null])), listingId: 1 };
  const { unreadFields, absentFields } = compareShape(listingAnswerSchema, record, { walked: [record] });
  expect(rows.filter(({ isRead }) => !isRead).map(({ field }) => `[].${field}`)).toEqual(
    unreadFields.map((unread) => unread.path),
  );
  // A field that is read and has no row would be absent from this record.
  expect(absentFields).toEqual([]);
  expect(new Set(rows.map(({ field }) => field)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(70);
});
