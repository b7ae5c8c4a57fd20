import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Accounts } from '../../accounts';
import { orderJsonSchema } from '../../orders/json-schema';
import type { FileStore } from '../../platform/file-store';
import { UserError } from '../../platform/user-error';
import { InvalidOrderError } from '../client/errors';
import { keepImagesFrom } from '../client/order-images';
import { prepareOrder } from '../client/prepare-order';
import type { ShipmentClient } from '../client/shipment-client';
import { validate, type ReadOrder } from '../client/order-files';
import { answerFields, toAnswer } from './answer-fields';
import { shownShipment } from './shown-shipment';

/** What the tools work with. */
export interface McpSetting {
  readonly version: string;
  readonly accounts: Accounts;
  readonly files: FileStore;
  /** Of one image of an order. */
  readonly maxImageBytes: number;
  /** Whether tools may start orders, answer questions and withdraw orders. */
  readonly mayDecide: boolean;
  /** Connects to Temporal for one call. */
  readonly withShipments: <T>(use: (shipments: ShipmentClient) => Promise<T>) => Promise<T>;
}

const orderKey = {
  account: z.string().describe("The account's name in the accounts file."),
  orderId: z.string().describe('The order id within the account.'),
};
const statement = {
  by: z.string().min(1).describe('The name of the person who decides.'),
  reason: z.string().min(1).describe('Why; kept in the timeline.'),
};
const document = z
  .record(z.string(), z.unknown())
  .describe('The complete order document, as the resource consign://schema/order.json describes it.');

const READS = { readOnlyHint: true } as const;

/** The tools of `consign mcp`: reading and quotes, and decisions only where they are allowed. */
export function createMcpServer(setting: McpSetting): McpServer {
  const server = new McpServer({ name: 'consign', version: setting.version });
  addReadingTools(server, setting);
  if (setting.mayDecide) addDecidingTools(server, setting);
  return server;
}

function addReadingTools(server: McpServer, setting: McpSetting): void {
  const { accounts, withShipments } = setting;
  server.registerResource(
    'order-schema',
    'consign://schema/order.json',
    { title: 'JSON Schema of an order document', mimeType: 'application/json' },
    async ({ href }) =>
      await Promise.resolve({ contents: [{ uri: href, text: JSON.stringify(orderJsonSchema()) }] }),
  );
  server.registerTool(
    'list_shipments',
    {
      description:
        'Lists orders, each once by its last run, newest first: phase, status, what each waits for.',
      inputSchema: z.object({
        query: z
          .string()
          .optional()
          .describe("A filter in Temporal's visibility language, such as: ShipmentPhase = 'booked'."),
        limit: z.number().int().min(1).max(200).default(50),
      }),
      annotations: READS,
    },
    async ({ query, limit }) =>
      await told(
        async () => await withShipments(async (shipments) => await shipments.list({ query, limit })),
      ),
  );
  server.registerTool(
    'get_shipment',
    {
      description:
        'Reads one shipment: phase, open question with its possible answers, listing, carrier, prices, documents, notices, timeline. Contacts are left out.',
      inputSchema: z.object(orderKey),
      annotations: READS,
    },
    async ({ account, orderId }) =>
      await told(
        async () =>
          await withShipments(async (shipments) => shownShipment(await shipments.get(account, orderId))),
      ),
  );
  server.registerTool(
    'attention',
    {
      description:
        'Lists everything that needs a person: open questions, failing workflows and calls, queues without a worker.',
      inputSchema: z.object({}),
      annotations: READS,
    },
    async () => await told(async () => await withShipments(async (shipments) => await shipments.attention())),
  );
  server.registerTool(
    'validate_order',
    {
      description:
        'Checks an order document and reports every problem, with what would be right. Starts nothing.',
      inputSchema: z.object({ document }),
      annotations: READS,
    },
    async (input) =>
      await told(async () => {
        const read = await check(input.document, accounts);
        const { warnings } = read;
        return read.ok ? { ok: true, warnings } : { ok: false, problems: read.problems, warnings };
      }),
  );
  server.registerTool(
    'quote_order',
    {
      description:
        'Asks the marketplace what an order would cost now: the fixed price, or all rates. Books nothing.',
      inputSchema: z.object({ document }),
      annotations: { ...READS, openWorldHint: true },
    },
    async (input) =>
      await told(async () => {
        const read = await check(input.document, accounts);
        if (!read.ok) throw new InvalidOrderError(read.file, read.problems, read.warnings);
        return await withShipments(async (shipments) => await shipments.quote(read.order));
      }),
  );
}

function addDecidingTools(
  server: McpServer,
  { accounts, files, maxImageBytes, withShipments }: McpSetting,
): void {
  server.registerTool(
    'start_order',
    {
      description:
        'Starts the shipment of an order: books a truck for real money. Safe to repeat: the same document finds the same shipment.',
      inputSchema: z.object({ document, ...statement }),
      annotations: { idempotentHint: true, openWorldHint: true },
    },
    async ({ document: given, by, reason }) =>
      await told(async () => {
        const order = await prepareOrder(
          { document: given },
          { accounts, files, maxImageBytes, imagesFrom: FROM },
        );
        return await withShipments(
          async (shipments) => await shipments.start({ ...order, placedBy: { by, reason } }),
        );
      }),
  );
  server.registerTool(
    'answer_question',
    {
      description: 'Answers the open question of a shipment with one of the answers that get_shipment names.',
      inputSchema: z.object({ ...orderKey, ...answerFields, ...statement }),
      annotations: { idempotentHint: true },
    },
    async ({ account, orderId, ...fields }) =>
      await told(
        async () =>
          await withShipments(
            async (shipments) => await shipments.answer(account, orderId, toAnswer(fields)),
          ),
      ),
  );
  server.registerTool(
    'cancel_order',
    {
      description: 'Withdraws an order that is not booked.',
      inputSchema: z.object({ ...orderKey, ...statement }),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ account, orderId, by, reason }) =>
      await told(
        async () =>
          await withShipments(async (shipments) => await shipments.cancel(account, orderId, { by, reason })),
      ),
  );
}

/** A document may not make this machine read its own files as images. */
const FROM = 'https';

const check = async (given: unknown, accounts: Accounts): Promise<ReadOrder> =>
  keepImagesFrom(FROM, await validate({ document: given }, accounts));

/** The result as JSON; a problem that the caller can fix as an error of the tool. */
async function told(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await work(), null, 1) }] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const problems = error instanceof InvalidOrderError ? { problems: error.problems } : {};
    const text = JSON.stringify({ kind: error.kind, error: error.explain(), ...problems }, null, 1);
    return { isError: true, content: [{ type: 'text', text }] };
  }
}
