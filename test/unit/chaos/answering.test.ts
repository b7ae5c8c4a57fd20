import { expect, jest, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { ScriptedPerson } from '../../../chaos/answering';
import type { Question } from '../../../src/domain/question';
import { NotConfirmedError, RefusedError } from '../../../src/starter/client/errors';
import type { ShipmentClient } from '../../../src/starter/client/shipment-client';
import type { Sandbox } from '../../../sandbox';

const refused = new RefusedError('the order does not ask this');
const away = new NotConfirmedError('Temporal is away', null, {});

/** The one at the desk of an order that asks one thing; what becomes of its requests is what `send` does. */
function personAt(kind: Question['kind'], send: () => Promise<unknown>): ScriptedPerson {
  const question = { kind, id: 'q-1', since: '2020-03-01T12:00:00.000Z', answers: [], listingIds: [] };
  const state = { at: { phase: 'collectingRates' }, kind: 'ltl', question, rates: [] };
  const shipments = {
    list: async () =>
      await Promise.resolve([{ account: 'acme', orderId: 'C-1', workflowId: 'shipment/acme/C-1' }]),
    get: async () => await Promise.resolve({ state }),
    answer: send,
    cancel: send,
  };
  const sandbox = { order: () => ({ listings: [], acceptances: [] }) };
  return new ScriptedPerson({
    client: {} as Client,
    shipments: shipments as unknown as ShipmentClient,
    sandbox: sandbox as unknown as Sandbox,
    // By which a listing that ended is closed.
    seed: '0',
  });
}

test.each([
  ['refused', async () => await Promise.reject(refused), 0],
  ['taken', async () => await Promise.resolve(), 1],
])('an order whose answers are %s for ever is left alone after some', async (_, send, taken) => {
  const sent = jest.fn(send);
  const person = personAt('priceApproval', sent);
  for (let round = 0; round < 20; round += 1) await person.answerAll();
  expect(sent).toHaveBeenCalledTimes(15);
  expect(person.tally.of('order').answered).toBe(taken);
  expect(person.circleOf('C-1', 'priceApproval')).toBe(
    'priceApproval again after 15 answers, 15 of them to priceApproval',
  );
});

test('an answer that nobody confirms counts as sent, and the order is asked about again', async () => {
  const person = personAt('priceApproval', async () => await Promise.reject(away));
  await expect(person.answerAll()).rejects.toThrow(away);
  expect(person.tally.of('order')).toEqual({ asked: 1, answered: 1 });
  expect(person.tally.answersOf('C-1')).toEqual([]);
});

test('what ends the order is remembered when it was taken, or nobody knows', async () => {
  const taken = personAt('listingEnded', async () => await Promise.resolve());
  await taken.answerAll();
  expect(taken.endingsOf('C-1')).toEqual(['close']);
  expect(taken.endingsOf('C-2')).toEqual([]);

  const send = jest.fn(async () => await Promise.reject<void>(refused));
  const other = personAt('listingEnded', send);
  expect(await other.withdraw('C-1')).toBe(false);
  await other.answerAll();
  expect(other.endingsOf('C-1')).toEqual([]);
  send.mockRejectedValueOnce(away);
  await expect(other.withdraw('C-1')).rejects.toThrow(away);
  // The refusal of the next one does not tell that the first was not taken.
  expect(await other.withdraw('C-1')).toBe(false);
  expect(other.endingsOf('C-1')).toEqual(['withdraw']);
});
