import { createReadStream } from 'node:fs';
import type { Accounts } from '../../accounts';
import type { MarketplaceSettings } from '../../marketplace/account';
import { decodeText } from '../../orders/decode-text';
import { documentHash } from '../../orders/document-hash';
import { parseOrder, type OrderReading, type Problem } from '../../orders/parse-order';
import { MAX_DOCUMENT_BYTES, readDocument, unreadable } from '../../orders/read-document';
import type { StartableOrder } from './shipment-client';

/** An order that can be started, once `storeImages` has stored its images. */
export interface GoodOrder {
  readonly ok: true;
  /** Where the order was read from; `-` for standard input and for a document in memory. */
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

export type ReadOrder = GoodOrder | RefusedOrder;

type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Twice the limit of a document, because UTF-16 takes two bytes for most letters. */
const MAX_FILE_BYTES = 2 * MAX_DOCUMENT_BYTES + 2;

/** Null when there are more bytes than an order can have: a device never ends, and an archive is large. */
async function readBytes(file: string): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_FILE_BYTES) return null;
  }
  return Buffer.concat(chunks);
}

/** The text of a file, `-` being standard input. Never throws. */
export async function readText(file: string): Promise<ReadText> {
  try {
    const bytes = await readBytes(file);
    if (bytes === null) {
      const remedy = 'put one order into a document, and name its images instead of embedding them';
      return unreadable(`is larger than ${MAX_FILE_BYTES} bytes`, remedy);
    }
    const decoded = decodeText(bytes);
    return decoded.ok ? decoded : unreadable(decoded.problem, decoded.remedy);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
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

/** Reads and checks one order file; `-` is standard input. Every problem at once, none of them thrown. */
export async function readOrderFile(
  file: string,
  accounts: Accounts,
  now: Date = new Date(),
): Promise<ReadOrder> {
  const content = await readText(file);
  const document = content.ok ? readDocument(content.text) : content;
  if (!document.ok) return { ...document, file, warnings: [] };
  return { ...readOrder(document.value, accounts, now), file };
}

/**
 * Checks an order document that is in memory, as `JSON.parse` returns it. Reports every problem at once and never throws.
 * Paths of images are relative to the current folder.
 */
export function readOrder(document: unknown, accounts: Accounts, now: Date = new Date()): ReadOrder {
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
