import { afterEach, expect, test } from '@jest/globals';
import { doActions, type PlannedAction } from '../../../chaos/scripted-actions';
import { closeSandboxes, createListing, quickSandbox, until } from '../sandbox/marketplace-client';

afterEach(closeSandboxes);

test('what is planned for a status does not happen later, when another deed took until then', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { booking: 3_600_000 } } });
  const listingId = Number(await createListing(sandbox));
  const isOver = new AbortController();
  const begun: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const planned: readonly PlannedAction[] = [
    {
      ...{ orderId: 'o-1', mishap: 'a deed that waits' },
      action: {
        status: 'Active',
        does: async () => {
          begun.push('waits');
          await released;
        },
      },
    },
    {
      ...{ orderId: 'o-1', mishap: 'a deed after a while' },
      action: { status: 'Active', afterMs: 1, does: () => void begun.push('too late') },
    },
    {
      ...{ orderId: 'o-1', mishap: 'a deed at the end' },
      action: { status: 'Completed', does: () => void begun.push('at the end') },
    },
  ];
  const doing = doActions(
    planned,
    { sandbox, withdraw: async () => await Promise.resolve(true) },
    isOver.signal,
  );
  await until(
    () => begun.length,
    (count) => count > 0,
  );
  sandbox.controls.advance(listingId, { to: 'Completed' });
  release();
  await until(
    () => begun.length,
    (count) => count > 1,
  );
  isOver.abort();
  expect([...(await doing)]).toEqual(['o-1 a deed that waits', 'o-1 a deed at the end']);
  expect(begun).toEqual(['waits', 'at the end']);
});
