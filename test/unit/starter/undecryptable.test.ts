import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { findAttention } from '../../../src/starter/client/attention';
import { listShipments, shipmentPage } from '../../../src/starter/client/list-shipments';
import { EncryptionKeys } from '../../../src/temporal/encryption/encryption-keys';
import { createPayloadCodec } from '../../../src/temporal/encryption/payload-codec';
import { clientOfRuns, type ListedRun } from '../../support/listed-runs';

async function codecOf(...ids: readonly [string, ...string[]]): Promise<PayloadCodec> {
  const keys = new Map(ids.map((id) => [id, createSecretKey(randomBytes(32))]));
  const read = async () => await Promise.resolve({ writeWith: ids[0], keys });
  return createPayloadCodec(await EncryptionKeys.open({ read, onWarning: () => undefined }));
}

const run = (orderId: string, over: Partial<ListedRun> = {}): ListedRun => ({
  workflowId: `shipment/acme/${orderId}`,
  memo: {
    waitingFor: `a carrier for ${orderId}`,
    waitsFor: 'a carrier',
    placedAt: '2035-06-01T00:00:00.000Z',
  },
  searchAttributes: { ShipmentKind: ['furniture'], ShipmentPhase: ['awaitingBooking'] },
  ...over,
});

/** Everything else that `attention` asks for is empty. */
const temporalOf = (runs: readonly ListedRun[], codec: PayloadCodec): Client => {
  const { options, workflowService } = clientOfRuns(runs, { codecs: [codec] });
  const workflow = { count: async () => await Promise.resolve({ count: runs.length }) };
  return { options, workflow, workflowService } as unknown as Client;
};

const other = async (): Promise<readonly PayloadCodec[]> => [await codecOf('2025-11')];

/** What the reader has, how the memo was written, and what the row says. */
const CASES = [
  {
    what: 'the file lacks the key',
    reader: async () => await codecOf('2026-11'),
    codecs: other,
    says: 'cannot be decrypted, key 2025-11 is missing',
  },
  {
    what: 'the process has no keys',
    reader: async () => await Promise.resolve(createPayloadCodec(null)),
    codecs: other,
    says: 'cannot be decrypted, key 2025-11 is missing, because CONSIGN_ENCRYPTION is not set',
  },
  {
    what: 'the key of this id is another one',
    reader: async () => await codecOf('2026-11', '2025-11'),
    codecs: other,
    says: 'cannot be decrypted, it was changed, or key 2025-11 was another one',
  },
  {
    what: 'the payload names no key',
    reader: async () => await codecOf('2026-11'),
    codecs: async () =>
      (await other()).map((codec) => ({
        ...codec,
        encode: async (...given: Parameters<PayloadCodec['encode']>) =>
          (await codec.encode(...given)).map((payload) => ({
            ...payload,
            metadata: { encoding: Buffer.from('binary/encrypted') },
          })),
      })),
    says: 'cannot be decrypted, it does not name its key',
  },
];

test.each(CASES)(
  'when $what, a list shows the shipment with that, and the others as they are',
  async ({ reader, codecs, says }) => {
    const client = temporalOf([run('SO-1'), run('SO-2', { codecs: await codecs() })], await reader());
    const rows = [
      { orderId: 'SO-1', waitingFor: 'a carrier for SO-1', waitsFor: 'a carrier', phase: 'awaitingBooking' },
      { orderId: 'SO-2', waitingFor: says, waitsFor: says, phase: 'awaitingBooking', kind: 'furniture' },
    ];
    expect(await listShipments(client)).toMatchObject(rows);
    expect((await shipmentPage(client)).shipments).toMatchObject(rows);
  },
);

test.each(CASES)(
  'when $what, attention reports the shipment, and the questions of the others',
  async ({ reader, codecs, says }) => {
    const asking = { searchAttributes: { NeedsAttention: [true] } } as const;
    const runs = [run('SO-1', asking), run('SO-2', { ...asking, codecs: await codecs() }), run('SO-3')];
    const { entries } = await findAttention(temporalOf(runs, await reader()));
    expect(entries.map(({ shipment, reasons }) => [shipment.orderId, reasons])).toEqual([
      ['SO-1', [{ kind: 'question', text: 'a carrier for SO-1' }]],
      [
        'SO-2',
        [
          { kind: 'undecryptable', text: says },
          { kind: 'question', text: 'a person' },
        ],
      ],
    ]);
  },
);

test('a shipment that has ended is listed without its key too', async () => {
  const ended = run('SO-1', { status: 'COMPLETED', codecs: await other() });
  const client = temporalOf([ended, run('SO-2')], await codecOf('2026-11'));
  const { shipments } = await shipmentPage(client);
  expect(shipments.map(({ orderId, status }) => [orderId, status])).toEqual([
    ['SO-1', 'COMPLETED'],
    ['SO-2', 'RUNNING'],
  ]);
});

test('another fault of a codec still fails the list', async () => {
  const broken: PayloadCodec = {
    encode: async (payloads) => await Promise.resolve(payloads),
    decode: () => Promise.reject(new TypeError('a bug')),
  };
  await expect(listShipments(temporalOf([run('SO-1')], broken))).rejects.toThrow('a bug');
});
