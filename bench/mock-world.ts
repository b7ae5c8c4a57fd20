import { randomUUID } from 'node:crypto';
import type { StartableOrder } from '../src/starter/client/start-order';
import { ShipmentClient } from '../src/starter/client/shipment-client';
import type { ShipmentPolicy } from '../src/domain/policy';
import { marketplaceEventReceivedSignal } from '../src/contract/messages';
import type { OnClose } from '../src/platform/closing';
import { MOCK_POLICY } from './flow-policy';
import { startMockMarketplace, type MockMarketplace, type MockOptions } from './mock-marketplace';
import {
  createWorld,
  KINDS,
  readExampleOrder,
  startWorker,
  withOrderId,
  type Kind,
  type Program,
  type World,
} from './world';

export const ACCOUNT = 'acme';

/** A worker process and a mock marketplace, whose events are sent as signals, without a receiver. */
export interface MockWorld {
  readonly world: World;
  readonly mock: MockMarketplace;
  readonly worker: Program;
  readonly start: (kind: Kind, orderId: string) => Promise<void>;
}

interface MockWorldOptions extends MockOptions {
  readonly isEncrypted?: boolean;
  readonly policy?: ShipmentPolicy;
}

export async function createMockWorld(
  { isEncrypted = false, policy = MOCK_POLICY, ...options }: MockWorldOptions,
  onClose: OnClose,
): Promise<MockWorld> {
  const mock = await startMockMarketplace(options, onClose);
  const world = await createWorld({ [ACCOUNT]: mock.url }, onClose, { isEncrypted });
  const { client } = world.temporal;
  mock.teller = async (order, { type, listingId, attachmentIds }) => {
    const event = {
      id: randomUUID(),
      type,
      time: new Date().toISOString(),
      listingIds: [listingId],
      attachmentIds,
    };
    await client.workflow.getHandle(`shipment/${order}`).signal(marketplaceEventReceivedSignal, event);
  };
  const orders = new Map<Kind, StartableOrder>();
  for (const kind of KINDS) orders.set(kind, await readExampleOrder(world, { kind, account: ACCOUNT }));
  const shipments = new ShipmentClient(client);
  const worker = await startWorker(world, onClose);
  return {
    ...{ world, mock, worker },
    async start(kind, orderId) {
      const order = orders.get(kind);
      if (order === undefined) throw new TypeError(`there is no order of the kind ${kind}`);
      await shipments.start({ ...withOrderId(order, orderId), policy });
    },
  };
}
