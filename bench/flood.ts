import { FLOOD_DELAY_LIMIT_MS, floodReceiver, type ReceiverFlood } from '../test/support/receiver-flood';

const COUNT = Number(process.argv[2] ?? 10_000);

/** Foreign events in great number, and what they cost the event of a shipment. Fails when that is too much. */
async function main(): Promise<void> {
  show(
    await floodReceiver({
      count: COUNT,
      onProgress: (answered, lookedUp) =>
        process.stderr.write(`${answered} of ${COUNT} answered, ${lookedUp} looked up\n`),
    }),
  );
}

function show({ report, counts, delayMs, isShipmentFound }: ReceiverFlood): void {
  const { quietMs, floodedMs, medianMs, answeredMs, settledMs, completed, open } = report;
  const isGood = delayMs < FLOOD_DELAY_LIMIT_MS && open === 0 && completed === COUNT && isShipmentFound;
  process.stdout.write(
    `${[
      `${COUNT} foreign events answered in ${(answeredMs / 1_000).toFixed(1)} s, all looked up after ${(settledMs / 1_000).toFixed(1)} s`,
      `slowest event of a shipment, from its request to its answer: ${quietMs.toFixed(0)} ms before, ${floodedMs.toFixed(0)} ms meanwhile (${(floodedMs / quietMs).toFixed(1)} times), delay ${delayMs.toFixed(0)} ms of ${FLOOD_DELAY_LIMIT_MS} ms`,
      `half of them took no longer than ${medianMs.toFixed(0)} ms`,
      `the receiver counted ${counts.signalled} events of the shipment, ${counts.unrouted} to look up, ${counts.unavailable} to send again`,
      `look-ups completed: ${completed}, left open: ${open}`,
      isGood ? 'passed' : 'FAILED',
    ].join('\n')}\n`,
  );
  process.exitCode = isGood ? 0 : 1;
}

void main();
