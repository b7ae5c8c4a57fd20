import { imagesOf, listDocuments, type DocumentFacts, type ListedDocument } from '../../../domain/documents';
import { orderReference } from '../../../domain/workflow-id';
import { FileStoreError, type FileStore } from '../../../platform/file-store/file-store';
import { savedNameOf } from '../../client/save-documents';
import type { PackFile } from '../../client/write-pack';
import { documentTitle, missingLines } from '../show-documents';
import { timeText } from '../time-text';
import {
  decisionsText,
  marketplaceRecordText,
  orderText,
  pricesText,
  quoteText,
  requestsText,
  timelineText,
  wordsText,
  type PackFacts,
} from './contents';

/** The files of a pack, and what it lacks. */
export interface Pack {
  readonly files: readonly PackFile[];
  readonly missing: readonly string[];
}

/** A part of the pack: its file and what it holds, or why there is none. */
interface Part {
  readonly path: string;
  readonly holds: string;
  /** Null: the pack has no such file, and says `lack`. */
  readonly text: string | null;
  readonly lack: string;
}

const NO_WORKER =
  'no worker answered, or its answer could not be decoded here: start a worker, then make the pack again';

function partsOf(facts: PackFacts): Part[] {
  const { state } = facts.record;
  const lack = NO_WORKER;
  return [
    {
      ...{ path: 'quote.txt', holds: 'the price or the rates, and why each other rate was not taken' },
      ...{ text: quoteText(facts.record), lack: state === null ? lack : 'no price or rate is known' },
    },
    {
      ...{ path: 'order.json', holds: 'the order as Consign worked with it, with the policy' },
      ...{ text: facts.order === null ? null : orderText(facts.order), lack: 'it cannot be decoded here' },
    },
    {
      ...{
        path: 'requests.json',
        holds: 'what each request to the marketplace was built from, when it was sent, and how it ended',
      },
      ...{ text: requestsText(facts), lack },
    },
    {
      ...{ path: 'decisions.txt', holds: 'who decided what, at which price, when and why' },
      ...{ text: decisionsText(facts), lack },
    },
    { path: 'prices.txt', holds: 'the prices over time', text: pricesText(facts), lack },
    {
      ...{ path: 'timeline.txt', holds: 'what happened, with the tracking and notices' },
      ...{ text: state === null ? null : timelineText(state), lack },
    },
    {
      ...{ path: 'marketplace-words.txt', holds: 'what the marketplace and its carriers said' },
      ...{ text: state === null ? null : wordsText(state), lack },
    },
    {
      ...{ path: 'marketplace-record.json', holds: 'the listing as last read, with tracking and contacts' },
      ...{ text: state === null ? null : marketplaceRecordText(state), lack },
    },
  ];
}

/** Without a worker, only the images of the order are known. */
function documentFactsOf({ record: { state }, order }: PackFacts): DocumentFacts {
  if (state !== null) return state;
  const images = order === null ? [] : imagesOf(order.shipment);
  return { images, billOfLading: null, attachments: [], wantedAttachments: [] };
}

const folderOf = ({ kind }: ListedDocument): string => (kind === 'image' ? 'photos' : 'documents');

async function documentFiles(
  documents: readonly ListedDocument[],
  store: FileStore,
): Promise<{ readonly files: readonly PackFile[]; readonly missing: readonly string[] }> {
  const files: PackFile[] = [];
  const missing: string[] = [];
  for (const document of documents) {
    try {
      const bytes = await store.get(document.sha256);
      files.push({ path: `${folderOf(document)}/${savedNameOf(document)}`, bytes });
    } catch (error) {
      if (!(error instanceof FileStoreError)) throw error;
      missing.push(`${documentTitle(document)}: ${error.message}`);
    }
  }
  return { files, missing };
}

/** A claim needs these, so the pack says when they are not there. */
function papersMissing(facts: DocumentFacts, hasState: boolean): string[] {
  if (!hasState) return [`bill of lading and other documents: ${NO_WORKER}`];
  return [
    ...(facts.billOfLading === null ? ['bill of lading: Consign has not fetched one'] : []),
    ...(facts.attachments.length === 0 ? ['proof of delivery and other attachments: none was fetched'] : []),
    ...(facts.images.length === 0 ? ['photos: the order has none'] : []),
    ...missingLines(facts),
  ];
}

/** Makes the pack. A part that cannot be made is named in its `README.txt`, and fails nothing else. */
export async function makePack(facts: PackFacts, store: FileStore): Promise<Pack> {
  const { record } = facts;
  const parts = partsOf(facts);
  const documentFacts = documentFactsOf(facts);
  const documents = await documentFiles(listDocuments(documentFacts), store);
  const { undecoded } = record.payloads;
  const missing = [
    ...parts.flatMap(({ path, text, lack }) => (text === null ? [`${path}: ${lack}`] : [])),
    ...papersMissing(documentFacts, record.state !== null),
    ...documents.missing,
    ...(record.isWhole ? [] : ['the first part of the history: Temporal no longer has it']),
    ...(undecoded === 0
      ? []
      : [`${undecoded} payloads could not be decoded: set CONSIGN_ENCRYPTION as for the workers`]),
  ];
  const written = parts.flatMap(({ path, text, holds }) => (text === null ? [] : [{ path, text, holds }]));
  const files = [
    ...written.map(({ path, text }) => ({ path, bytes: Buffer.from(text) })),
    ...documents.files,
  ];
  const contents = [
    ...written.map(({ path, holds }) => `${path}: ${holds}`),
    ...documents.files.map(({ path }) => path),
  ];
  const readme = readmeText(facts, contents, missing);
  return { files: [{ path: 'README.txt', bytes: Buffer.from(readme) }, ...files], missing };
}

const list = (lines: readonly string[]): string =>
  lines.length === 0 ? '  nothing' : lines.map((line) => `  ${line}`).join('\n');

function readmeText(
  { record: { order }, madeAt }: PackFacts,
  contents: readonly string[],
  missing: readonly string[],
): string {
  return `Dispute pack of order ${orderReference(order.account, order.orderId)}, made by Consign at ${timeText(madeAt)}.

It contains names, phones, addresses and prices. Give it only to those who handle the claim.
All times are UTC. Consign does not keep the bodies of HTTP requests: requests.json has what it built them from.

Contents:
${list(contents)}

Missing:
${list(missing)}
`;
}
