import { expect, jest, test } from '@jest/globals';
import { ServiceError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ScriptedPerson } from '../../../chaos/answering';
import type { SandboxControl } from '../../../chaos/sandbox-control';
import type { Question } from '../../../src/domain/question';
import type { ShipmentClient } from '../../../src/starter/client/shipment-client';

const refused = new WorkflowUpdateFailedError('the order does not ask this', new Error('no'));
const away = new ServiceError('Temporal is away');

/** The one at the desk of an order that asks one thing; what becomes of its answers is what `update` does. */
function personAt(kind: Question['kind'], update: () => Promise<void>): ScriptedPerson {
  const question = { kind, id: 'q-1', since: '2020-03-01T12:00:00.000Z', answers: [] };
  const key = { account: 'acme', orderId: 'C-1', workflowId: 'shipment/acme/C-1' };
  const workflow = {
    getHandle: () => ({ executeUpdate: update }),
    list: async function* () {},
  };
  const client = { workflow, withDeadline: async (_: number, call: () => Promise<void>) => await call() };
  const state = { at: { phase: 'collectingRates' }, kind: 'ltl', question, rates: [] };
  return new ScriptedPerson({
    client: client as unknown as Client,
    shipments: {
      list: async () => await Promise.resolve([key]),
      get: async () => await Promise.resolve({ runId: 'r-1', state }),
    } as unknown as ShipmentClient,
    sandbox: { orderLedger: async () => await Promise.resolve(null) } as unknown as SandboxControl,
    // By which a listing that ended is closed.
    seed: '0',
  });
}

test.each([
  ['refused', async () => await Promise.reject(refused), 0],
  ['taken', async () => await Promise.resolve(), 1],
])('an order whose answers are %s for ever is left alone after some', async (_, update, taken) => {
  const sent = jest.fn(update);
  const person = personAt('priceApproval', sent);
  for (let round = 0; round < 20; round += 1) await person.answerAll();
  expect(sent).toHaveBeenCalledTimes(15);
  expect(person.tally.of('order').answered).toBe(taken);
  expect(person.circleOf('C-1', 'priceApproval')).toMatchObject({ answers: 15 });
});

test('what ends the order is remembered when it was taken, or nobody knows', async () => {
  const taken = personAt('listingEnded', async () => await Promise.resolve());
  await taken.answerAll();
  expect(taken.endingsOf('C-1')).toEqual(['close']);
  expect(taken.endingsOf('C-2')).toEqual([]);

  const update = jest.fn(async () => await Promise.reject<void>(refused));
  const other = personAt('listingEnded', update);
  expect(await other.withdraw('C-1')).toBe(false);
  await other.answerAll();
  expect(other.endingsOf('C-1')).toEqual([]);
  update.mockRejectedValueOnce(away);
  await expect(other.withdraw('C-1')).rejects.toThrow(away);
  // The refusal of the next one does not tell that the first was not taken.
  expect(await other.withdraw('C-1')).toBe(false);
  expect(other.endingsOf('C-1')).toEqual(['withdraw']);
});
