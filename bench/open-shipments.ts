import { until } from '../test/support/temporal';
import { mapAtOnce } from '../src/platform/at-once';
import { ACCOUNT, type MockWorld } from './mock-world';
import { KINDS } from './world';

export const AT_ONCE = 30;
export const OPENED_WITHIN_MS = 120_000;

export const nameOf = (index: number): string => `open-${index}`;

/** Opens the missing shipments and waits until all have taken their steps and are idle. */
export async function openUntil({ world, mock, start }: MockWorld, count: number): Promise<void> {
  const lacking = Array.from(
    { length: count - mock.listings.size },
    (_, index) => mock.listings.size + index,
  );
  await mapAtOnce(lacking, AT_ONCE, async (index) => {
    const name = nameOf(index);
    await start(KINDS[index % KINDS.length] ?? 'furniture', name);
    const reference = `${ACCOUNT}/${name}`;
    await until(async () => await Promise.resolve(mock.quiet.isLast(reference)), {
      ...{ patienceMs: OPENED_WITHIN_MS, everyMs: 50 },
    });
  });
  mock.quiet.throwFailure();
  const running = await world.temporal.client.workflow.count("ExecutionStatus = 'Running'");
  if (running.count < count) throw new Error(`${running.count} of ${count} shipments are open`);
}
