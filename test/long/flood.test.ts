import { expect, test } from '@jest/globals';
import { FLOOD_DELAY_LIMIT_MS, floodReceiver } from '../support/receiver-flood';

/** Of `npm run bench:flood`, which sends ten thousand, what takes less than a minute. */
const COUNT = 1_000;

test('a flood of foreign requests delays the slowest event of a shipment by less than a second, and leaves nothing open', async () => {
  const { report, counts, delayMs, isShipmentFound } = await floodReceiver({ count: COUNT });
  expect(delayMs).toBeLessThan(FLOOD_DELAY_LIMIT_MS);
  expect({ completed: report.completed, open: report.open, isShipmentFound }).toEqual({
    ...{ completed: COUNT, open: 0, isShipmentFound: true },
  });
  // What is answered 503 is sent again, so that none is lost.
  expect(counts).toMatchObject({ unrouted: COUNT });
}, 180_000);
