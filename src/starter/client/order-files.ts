import { createReadStream } from 'node:fs';
import type { Accounts } from '../../accounts';
import type { MarketplaceSettings } from '../../marketplace/account';
import { decodeText } from '../../orders/decode-text';
import { documentHash } from '../../orders/document-hash';
import { parseOrder, type OrderReading, type Problem } from '../../orders/parse-order';
import { MAX_DOCUMENT_BYTES, readDocument, unreadable } from '../../orders/read-document';
import type { StartableOrder } from './start-order';
import { messageOf } from '../../platform/message-of';

/** Where an order document comes from. */
export type OrderInput =
  /** In memory: an `OrderDocument`, or what `JSON.parse` returns. Paths of its images are relative to the current folder. */
  | { readonly document: unknown }
  /** JSON or YAML. Paths of its images are relative to the current folder. */
  | { readonly text: string }
  /** The path of a JSON or YAML file; `-` is standard input. */
  | { readonly file: string };

/** An order without problems. `order` can be quoted; `prepareOrder` also stores the images, which a start needs. */
export interface GoodOrder {
  readonly ok: true;
  /** Where the order was read from; `-` for standard input, a text, and a document in memory. */
  readonly file: string;
  readonly order: StartableOrder;
  readonly imageSources: readonly string[];
  /** How the account sends images. */
  readonly imagePayload: MarketplaceSettings['imagePayload'];
  readonly warnings: readonly Problem[];
}

/** An order that cannot be started, with every problem. */
export interface RefusedOrder {
  readonly ok: false;
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The result of `validate`. */
export type ReadOrder = GoodOrder | RefusedOrder;

type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

interface FileLimit {
  readonly bytes: number;
  /** What to do with a larger file. */
  readonly remedy: string;
}

const ONE_ORDER: FileLimit = {
  // Twice the limit of a document, because UTF-16 takes two bytes for most letters.
  bytes: 2 * MAX_DOCUMENT_BYTES + 2,
  remedy: 'put one order into a document, and name its images instead of embedding them',
};

/** Null when there are more bytes than the limit: a device never ends, and an archive is large. */
async function readBytes(file: string, limit: FileLimit): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit.bytes) return null;
  }
  return Buffer.concat(chunks);
}

/** The text of a file, `-` being standard input. Never throws. */
export async function readText(file: string, limit: FileLimit = ONE_ORDER): Promise<ReadText> {
  try {
    const bytes = await readBytes(file, limit);
    if (bytes === null) return unreadable(`is larger than ${limit.bytes} bytes`, limit.remedy);
    const decoded = decodeText(bytes);
    return decoded.ok ? decoded : unreadable(decoded.problem, decoded.remedy);
  } catch (error) {
    const why = messageOf(error);
    return unreadable(`cannot be read: ${why}`, 'name a file that exists, or - for standard input');
  }
}

/** Checks a document against the accounts at an instant. Never throws. */
export function checkOrder(document: unknown, accounts: Accounts, now: Date): OrderReading {
  return parseOrder(document, {
    accountOf: (name) => accounts.orderAccountOf(name),
    accountNames: accounts.names(),
    now,
  });
}

/**
 * Checks an order document against the accounts, without Temporal and without the marketplace. Returns every problem at
 * once, each with its place, what is wrong and what would be right. Never throws.
 */
export async function validate(
  input: OrderInput,
  accounts: Accounts,
  now: Date = new Date(),
): Promise<ReadOrder> {
  if ('file' in input) return await readOrderFile(input.file, accounts, now);
  if ('text' in input) return readOrderText(input.text, accounts, now);
  return readOrder(input.document, accounts, now);
}

/** Reads and checks one order file; `-` is standard input. */
async function readOrderFile(file: string, accounts: Accounts, now: Date): Promise<ReadOrder> {
  const content = await readText(file);
  const read = content.ok ? readOrderText(content.text, accounts, now) : { ...content, warnings: [] };
  return { ...read, file };
}

function readOrderText(text: string, accounts: Accounts, now: Date): ReadOrder {
  const document = readDocument(text);
  return document.ok ? readOrder(document.value, accounts, now) : { ...document, file: '-', warnings: [] };
}

/** Checks an order document that is in memory. */
export function readOrder(document: unknown, accounts: Accounts, now: Date): ReadOrder {
  const file = '-';
  const reading = checkOrder(document, accounts, now);
  if (!reading.ok) return { ...reading, file };
  const { shipment, policy, imageSources, warnings } = reading;
  const account = { name: shipment.account, environment: accounts.environmentOf(shipment.account) };
  return {
    ok: true,
    file,
    order: {
      ...{ shipment, policy, account, documentHash: documentHash(document) },
      supportAddress: accounts.supportAddressOf(shipment.account),
      notifies: (accounts.endpointsOf(shipment.account) ?? []).length > 0,
      hasIntegrator: accounts.orderAccountOf(shipment.account)?.hasIntegrator ?? false,
    },
    imageSources,
    imagePayload: imagePayloadOf(accounts, account.name),
    warnings,
  };
}

function imagePayloadOf(accounts: Accounts, name: string): MarketplaceSettings['imagePayload'] {
  const found = accounts.marketplaceAccounts.find((account) => account.name === name);
  return found?.settings.imagePayload ?? 'multipart';
}
