import { expect, test } from '@jest/globals';
import { floodReceiver } from '../support/receiver-flood';

/** Of `npm run bench:flood`, which sends ten thousand, what takes less than a minute. */
const COUNT = 1_000;

test('no event of a shipment waits behind a flood of foreign requests, which leaves nothing open', async () => {
  const { report, counts, isShipmentFound } = await floodReceiver({ count: COUNT });
  // Of the same run, because machines are noisy: the benchmark holds it against a second.
  expect(report.floodedMs).toBeLessThan(report.settledMs / 10);
  expect({ completed: report.completed, open: report.open, isShipmentFound }).toEqual({
    ...{ completed: COUNT, open: 0, isShipmentFound: true },
  });
  // What is answered 503 is sent again, so that none is lost.
  expect(counts).toMatchObject({ unrouted: COUNT });
}, 180_000);
