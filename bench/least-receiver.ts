import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { ORDER_REFERENCE_TYPE } from '../src/domain/listing-proof';

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly data: {
    readonly listingId: string;
    readonly referenceNumbers: readonly { readonly number: string; readonly type: string }[];
  };
}

const parseJson: (body: string) => Envelope = JSON.parse;

/** The least possible receiver: node:http, JSON.parse, one signal. No authentication, no validation, no limits. */
async function main(): Promise<void> {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = environment.parse(process.env);
  const connection = await Connection.connect({ address: TEMPORAL_ADDRESS });
  const client = new Client({ connection, namespace: TEMPORAL_NAMESPACE });
  const signal = async (body: string): Promise<void> => {
    const { id, type, time, data } = parseJson(body);
    const order = data.referenceNumbers.find((reference) => reference.type === ORDER_REFERENCE_TYPE)?.number;
    const event = { id, type, time, listingIds: [data.listingId], attachmentIds: [] };
    await client.workflow.getHandle(`shipment/${order}`).signal('marketplaceEventReceived', event);
  };
  const server = createServer((request, response) => {
    text(request)
      .then(signal)
      .then(
        () => response.end(),
        () => response.writeHead(503).end(),
      );
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`least receiver at ${JSON.stringify(server.address())}`);
  });
}

const environment = z.object({ TEMPORAL_ADDRESS: z.string(), TEMPORAL_NAMESPACE: z.string() });

void main();
