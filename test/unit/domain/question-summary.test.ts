import { expect, test } from '@jest/globals';
import { jsonBytes, TEXT_BYTES } from '../../../src/domain/bounds';
import type { Question, QuestionKind } from '../../../src/domain/question';
import { questionSummary } from '../../../src/domain/question-summary';

const ORDER = { account: 'acme', orderId: 'SO-1' };
const asked = (kind: QuestionKind, text: string): Question => ({
  ...{ id: `q1-${kind}`, kind, text, since: '2035-03-06T08:00:00.000Z', answers: ['retry'] },
  ...{ listingIds: [], offer: null, supportAddress: null },
});

const KINDS: readonly QuestionKind[] = [
  ...(['premiumUnknown', 'priceApproval', 'rateChoice', 'noRates', 'paymentMethod', 'inDoubt'] as const),
  ...([
    'listingEnded',
    'listingMissing',
    'possibleDoubleBooking',
    'pickupPassed',
    'stillConsidered',
    'unansweredAcceptance',
    'unexpectedFailure',
  ] as const),
];

test.each([
  [
    asked(
      'priceApproval',
      'The price of USD 262.97 is above the limit of USD 1.00. Approve it, or ask for the price again.',
    ),
    'The price of USD 262.97 is above the limit of USD 1.00. Approve it, or ask for the price again.',
  ],
  [
    {
      ...asked('pickupPassed', 'The last pickup day, 2035-03-06, is past. Revise the order, or cancel it.'),
      supportAddress: 'help@acme.example',
    },
    'The last pickup day, 2035-03-06, is past. Revise the order, or cancel it.',
  ],
  [
    asked('listingEnded', 'Listing 7 is Cancelled. See https://www.example.com/listings/7?token=abc now.'),
    'Listing 7 is Cancelled. See now.',
  ],
  [
    asked(
      'unexpectedFailure',
      'POST /v2/listings answered 422: Pat Doe, +1 214 555 0142, 901 W 9th St is not known. Retry.',
    ),
    'A step failed. What next?',
  ],
  [
    asked('inDoubt', 'It is unknown whether it took effect (said Pat Doe of 901 W 9th St).'),
    'It is unknown whether a write took effect. Does the listing exist?',
  ],
])('the summary of a question is short and says what the question is: %#', (question, text) => {
  expect(questionSummary(ORDER, question)).toBe(`${text} (${question.id}; consign show acme/SO-1)`);
});

test.each(KINDS)(
  'a summary of %s fits, whatever its names and text are, and ends with its command',
  (kind) => {
    const long = { account: 'a'.repeat(40), orderId: 'S'.repeat(50) };
    for (const text of [
      'x'.repeat(4_000),
      `"${'\u00e9'.repeat(2_000)}`,
      'https://example.com/'.padEnd(3_000, 'a'),
    ]) {
      const summary = questionSummary(long, asked(kind, text));
      expect(jsonBytes(summary)).toBeLessThanOrEqual(TEXT_BYTES.summary);
      expect(summary).toMatch(/; consign show a{40}\/S{50}\)$/);
      expect(summary).not.toContain('http');
    }
  },
);
