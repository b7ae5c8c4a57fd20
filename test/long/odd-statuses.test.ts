import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { furniture, ltl } = numberedOrders('W');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

test.each(['bare', 'lowerCase', 'idName', 'numberLabel', 'words', 'unknown'] as const)(
  'orders are delivered without a question by a marketplace that writes its statuses as %s',
  async (statusForm) => {
    harness.sandbox.setSwitches({ statusForm, transit: 'manual' });
    const orders = [furniture(), ltl()];
    for (const order of orders) await harness.start(order);
    for (const order of orders) {
      // It stays booked until that is read: its word for booked is what some of these forms are about.
      const { state } = await harness.until(order, (view) => view.state?.at.phase === 'booked');
      const listingId = state !== null && 'listingId' in state.at ? state.at.listingId : '';
      harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
    }
    for (const order of orders) {
      const end = await harness.ended(order);
      expect(end).toMatchObject({
        status: 'COMPLETED',
        state: { at: { phase: 'settled' }, questionsAsked: 0 },
      });
      expect(harness.ledgerOf(order)).toMatchObject({ created: 1, liveBookings: 1, mostLiveBookings: 1 });
      // Some of those words are none that anybody could guess.
      const isUnknown = statusForm === 'unknown' || statusForm === 'words';
      expect(end.state?.notices.some((text) => text.includes('is unknown; taken as booked'))).toBe(isUnknown);
    }
  },
);
