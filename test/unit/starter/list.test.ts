import { expect, test } from '@jest/globals';
import type { ShipmentSummary } from '../../../src/starter/client/list-shipments';
import { onePerOrder, renderList } from '../../../src/starter/cli/show';
import { table } from '../../../src/starter/cli/table';
import { ageText, timeText } from '../../../src/starter/cli/time-text';

const NOW = '2035-03-06T08:00:00.000Z';
const nowMs = Date.parse(NOW);

const aSummary = (over: Partial<ShipmentSummary> = {}): ShipmentSummary => ({
  workflowId: `shipment/acme/${over.orderId ?? 'SO-1'}`,
  ...{ account: 'acme', orderId: 'SO-1', kind: 'furniture', phase: 'awaitingBooking', status: 'RUNNING' },
  ...{ needsAttention: false, listingId: '683137438' },
  waitingFor:
    'a carrier to book listing 683137438 since 2035-03-06T07:00:00.000Z; nothing to do; `consign cancel acme/SO-1 --by NAME --reason TEXT` withdraws the order',
  waitsFor: 'a carrier to book listing 683137438',
  startedAt: '2035-03-06T07:00:00.000Z',
  ...over,
});

const QUESTION =
  'a person: No rate fits the policy. Select one, or ask for new ones with retry. r-1: Prairie Line, USD 900.00, costs more; r-2: …';

test.each([
  ['a carrier that is waited for', [aSummary()]],
  ['long names', [aSummary({ account: 'a'.repeat(40), orderId: 'SO-'.padEnd(50, '7') })]],
  [
    'questions, all kinds and ends',
    [
      aSummary({ needsAttention: true, phase: 'collectingRates', kind: 'ltl', waitsFor: QUESTION }),
      aSummary({ orderId: 'PO-2031-7731-B', needsAttention: true, waitsFor: 'x'.repeat(100) }),
      aSummary({ orderId: 'SO-2', status: 'COMPLETED', phase: 'cancelled', waitsFor: 'nothing' }),
      aSummary({ orderId: 'SO-3', status: 'TERMINATED', waitsFor: null, kind: null, phase: null }),
    ],
  ],
])('the list fits 80 columns with %s', (_, summaries) => {
  const lines = renderList(summaries, { nowMs, width: 80 }).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const said = lines.map((line) => line.split('  ')[0]).join('');
  // Nothing of a name is lost, however narrow its column is.
  for (const { account, orderId } of summaries) expect(said).toContain(`${account}/${orderId}`);
});

test('the list says how far each order is, how old it is, and what it waits for', () => {
  const summaries = [
    aSummary({ needsAttention: true }),
    aSummary({ orderId: 'SO-2', status: 'COMPLETED', phase: 'cancelled' }),
    aSummary({
      orderId: 'SO-3',
      status: 'COMPLETED',
      phase: 'settled',
      startedAt: '2035-02-06T08:00:00.000Z',
    }),
  ];
  expect(renderList(summaries, { nowMs, width: 75 }).split('\n')).toEqual([
    'ORDER      KIND       STATE              AGE  WAITS FOR',
    'acme/SO-1  furniture  awaitingBooking !  1h   a carrier to book listing',
    '                                              683137438',
    'acme/SO-2  furniture  withdrawn          1h   -',
    'acme/SO-3  furniture  completed          28d  -',
  ]);
});

test.each([
  ['2035-03-06T08:00:00.000Z', '0s'],
  ['2035-03-06T07:59:01.000Z', '59s'],
  ['2035-03-06T07:59:00.000Z', '1m'],
  ['2035-03-06T06:00:01.000Z', '1h'],
  ['2035-03-04T08:00:00.000Z', '2d'],
  ['2035-03-06T08:00:05.000Z', '0s'],
])('a shipment that started at %s is %s old', (at, age) => {
  expect(ageText(at, nowMs)).toBe(age);
});

test('a time says its zone', () => {
  expect(timeText('2035-03-06T08:00:05.123Z')).toBe('2035-03-06 08:00:05Z');
});

test.each([
  ['an event after its end asks', [{ phase: 'lateEvent', needsAttention: true }, { status: 'COMPLETED' }], 0],
  ['the shipment asks, and an event too', [{ needsAttention: true }, { needsAttention: true }], 0],
  ['an event came before the shipment asked', [{ phase: 'lateEvent' }, { needsAttention: true }], 1],
])('an order is listed once where %s', (_, both, stands) => {
  const summaries = both.map((over, index) => aSummary({ ...over, workflowId: `w${index}` }));
  const other = aSummary({ orderId: 'SO-2' });
  expect(onePerOrder([...summaries, other])).toEqual([summaries[stands], other]);
});

test('text that would move the cursor is in no cell, and colours remain', () => {
  const drawn = table(['A', 'B'], [['one\ntwo\u0007', '\u001B[32mgreen\u001B[39m']]);
  expect(drawn).toBe('A        B\none two  \u001B[32mgreen\u001B[39m');
});
