import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Accounts } from '../accounts';
import type { MarketplaceSettings } from '../marketplace/account';
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
      /** In which form the account sends images. */
      readonly imagePayload: MarketplaceSettings['imagePayload'];
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
    imagePayload: imagePayloadOf(accounts, account.name),
    warnings,
  };
}

function imagePayloadOf(accounts: Accounts, name: string): MarketplaceSettings['imagePayload'] {
  const found = accounts.marketplaceAccounts.find((account) => account.name === name);
  return found?.settings.imagePayload ?? 'multipart';
}
