import { setTimeout as delay } from 'node:timers/promises';
import { orderReference } from '../domain/workflow-id';
import { SeededRandom } from '../sandbox/random';
import { WEATHERS } from './faults';
import { ignoreAbort } from './kills';
import { CHAOS_ACCOUNT, pick } from './orders';
import type { SandboxControl } from './sandbox-control';

/** Short enough to meet a booking before its goods are delivered. */
const LOOK_MS = 400;

/** Trouble that comes and goes, until the signal says that it is enough. */
export async function changeWeather(
  sandbox: SandboxControl,
  seed: string,
  signal: AbortSignal,
): Promise<void> {
  const random = new SeededRandom(`${seed}/weather`);
  const pause = async (from: number, to: number): Promise<void> =>
    await delay(random.integer(from, to), undefined, { signal }).catch(ignoreAbort);
  while (!signal.aborted) {
    const { during, after } = pick(random, WEATHERS);
    await pause(2_000, 8_000);
    if (signal.aborted) return;
    await sandbox.setSwitches(during);
    await pause(1_000, 4_000);
    await sandbox.setSwitches(after);
  }
}

/** The carrier cancels the bookings of these orders again, once each. */
export async function cancelBookings(
  sandbox: SandboxControl,
  orderIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const left = new Set(orderIds);
  while (left.size > 0 && !signal.aborted) {
    const ledger = await sandbox.ledger();
    for (const orderId of left) {
      const listings = ledger.orders[orderReference(CHAOS_ACCOUNT, orderId)]?.listings ?? [];
      // Long before the delivery, which nobody can cancel.
      const booked = listings.find(
        ({ isLiveBooking, transitStatus }) =>
          isLiveBooking && (transitStatus === null || transitStatus === 'ReadyForDispatch'),
      );
      if (booked === undefined) continue;
      left.delete(orderId);
      await sandbox.cancelBooking(String(booked.listingId));
    }
    await delay(LOOK_MS, undefined, { signal }).catch(ignoreAbort);
  }
}
