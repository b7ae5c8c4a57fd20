import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Accounts } from '../accounts';
import type { FileStore } from '../file-store';
import type { StoredImage } from '../domain/shipment';
import { documentHash } from '../orders/document-hash';
import { parseOrder, type OrderReading, type Problem } from '../orders/parse-order';
import { readDocument } from '../orders/read-document';
import type { StartableOrder } from './shipment-client';

export type ReadOrder =
  | {
      readonly ok: true;
      readonly file: string;
      readonly order: StartableOrder;
      readonly imageSources: readonly string[];
      readonly warnings: readonly Problem[];
    }
  | {
      readonly ok: false;
      readonly file: string;
      readonly problems: readonly Problem[];
      readonly warnings: readonly Problem[];
    };

const failed = (file: string, problem: string, remedy: string): ReadOrder => ({
  ok: false,
  file,
  problems: [{ path: '$', problem, remedy }],
  warnings: [],
});

type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** The text of a file, `-` being standard input. Never throws. */
export async function readText(file: string): Promise<ReadText> {
  try {
    return { ok: true, text: file === '-' ? await text(process.stdin) : await readFile(file, 'utf8') };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const remedy = 'name a file that exists, or - for standard input';
    return { ok: false, problem: `cannot be read: ${why}`, remedy };
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
  if (!content.ok) return failed(file, content.problem, content.remedy);
  const document = readDocument(content.text);
  if (!document.ok) return failed(file, document.problem, document.remedy);
  const reading = checkOrder(document.value, accounts, now);
  if (!reading.ok) return { ...reading, file };
  const { shipment, policy, imageSources, warnings } = reading;
  const account = { name: shipment.account, environment: accounts.environmentOf(shipment.account) };
  return {
    ok: true,
    file,
    order: {
      ...{ shipment, policy, account, documentHash: documentHash(document.value) },
      supportAddress: accounts.supportAddressOf(shipment.account),
    },
    imageSources,
    warnings,
  };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
};

/** Thrown when an image cannot be stored; nothing was started. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

/** Stores the order's images where workers can read them; paths are relative to the order's file. */
export async function storeImages(
  read: Extract<ReadOrder, { ok: true }>,
  files: FileStore,
): Promise<StartableOrder> {
  const { order, imageSources, file } = read;
  if (order.shipment.kind !== 'furniture' || imageSources.length === 0) return order;
  const folder = file === '-' ? process.cwd() : path.dirname(file);
  const images: StoredImage[] = [];
  for (const source of imageSources) {
    const contentType = CONTENT_TYPES[path.extname(source).toLowerCase()];
    if (contentType === undefined) throw new ImageError(`${source}: give a .jpg, .jpeg or .png image`);
    try {
      const bytes = await readFile(path.resolve(folder, source));
      const sha256 = await files.put(bytes);
      images.push({ fileName: path.basename(source), contentType, sizeInBytes: bytes.length, sha256 });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ImageError(
        `${source}: the image cannot be read (${why}); its path is relative to the order's file`,
      );
    }
  }
  return { ...order, shipment: { ...order.shipment, images } };
}
