import { expect, test } from '@jest/globals';
import { floodReceiver } from '../support/receiver-flood';

/** Of `npm run bench:flood`, which sends ten thousand and measures the delay, what takes less than a minute. */
const COUNT = 1_000;

test('a flood of foreign requests loses none of them and no event of a shipment, and leaves nothing open', async () => {
  const { report, counts, isShipmentFound } = await floodReceiver({ count: COUNT });
  expect({ completed: report.completed, open: report.open, isShipmentFound }).toEqual({
    ...{ completed: COUNT, open: 0, isShipmentFound: true },
  });
  // What is answered 503 is sent again, so that none is lost.
  expect(counts).toMatchObject({ unrouted: COUNT });
}, 180_000);
