import { ApplicationFailure } from '@temporalio/common';
import { EXTENSIONS, typeOf, type KnownType } from '../platform/download/content-type';
import { download, DownloadError } from '../platform/download/download';
import type { AccountPin } from '../domain/account-pin';
import type { StoredAttachment, StoredBillOfLading } from '../domain/documents';
import { FailureType } from '../domain/failure-type';
import type { CallOptions } from '../marketplace/marketplace';
import { poll, type Reading } from './reads-and-polls';
import type { ActivityDependencies } from './dependencies';
import { pendingUntilReadable, type PollDocumentInput } from './not-ready';

export interface FetchAttachmentInput extends PollDocumentInput {
  readonly attachmentId: string;
}

/** A scan of some pages has a few megabytes; a far larger file is no shipping document. */
const MAX_DOCUMENT_BYTES = 25 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 60_000;
const MAX_TEXT = 500;

/** What stores answer when a signed address has expired. */
const EXPIRED = new Set([400, 401, 403, 410]);

/** A bill of lading is a document or a picture of one. */
const PAPER: readonly KnownType[] = ['application/pdf', 'image/jpeg', 'image/png', 'image/tiff'];

interface Content {
  readonly bytes: Uint8Array;
  readonly type: KnownType | null;
}

/**
 * Fetches the document at an address from the marketplace. After an expired address it asks once for a new one. A web
 * page, an empty file or a host in trouble means "not ready".
 */
async function fetchContent<T>(
  what: string,
  account: AccountPin,
  call: CallOptions,
  ask: () => Promise<{ readonly answer: T; readonly address: string }>,
): Promise<Reading<{ readonly answer: T; readonly content: Content }>> {
  for (let isSecond = false; ; isSecond = true) {
    const asked = await pendingUntilReadable(what, ask);
    if (asked.kind === 'pending') return asked;
    const { answer, address } = asked.value;
    try {
      const bytes = await download(address, {
        maxBytes: MAX_DOCUMENT_BYTES,
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
        // A simulated marketplace may run in another container; a real one has https.
        plainHttp: account.environment === 'sandbox' ? 'anywhere' : 'thisMachine',
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      });
      const type = typeOf(bytes);
      if (bytes.length === 0) return { kind: 'pending', saw: `${what} is empty` };
      if (type === 'text/html') return { kind: 'pending', saw: `${what} is a web page` };
      return { kind: 'ready', value: { answer, content: { bytes, type } } };
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      if (error.status !== null && EXPIRED.has(error.status) && !isSecond) continue;
      if (error.trouble === 'tooLarge' || error.trouble === 'badAddress') {
        throw ApplicationFailure.nonRetryable(`${what}: ${error.message}`, FailureType.DocumentRefused);
      }
      return { kind: 'pending', saw: `${what}: ${error.message}` };
    }
  }
}

export function createDocumentActivities({ marketplaceOf, files }: ActivityDependencies) {
  async function store({ bytes, type }: Content) {
    return {
      contentType: type ?? 'application/octet-stream',
      sizeInBytes: bytes.length,
      sha256: await files.put(bytes),
      fetchedAt: new Date().toISOString(),
    };
  }

  /**
   * GET /v2/listings/{id}/billoflading and the document at its address, until it is there; stored under its hash. The
   * address is signed, so it never leaves this activity.
   */
  async function pollBillOfLading({ account, listingId, pace }: PollDocumentInput) {
    const what = 'bill of lading';
    return await poll<StoredBillOfLading>(pace, async (call) => {
      const reading = await fetchContent(what, account, call, async () => {
        const answer = await marketplaceOf(account).getBillOfLading(listingId, call);
        return { answer, address: answer.documentUrl };
      });
      if (reading.kind === 'pending') return reading;
      const { answer, content } = reading.value;
      const { type } = content;
      if (type === null || !PAPER.includes(type)) {
        return { kind: 'pending', saw: `${what} is ${type ?? 'of no known type'}, not a PDF or a picture` };
      }
      const { billOfLadingNumber } = answer;
      const fileName = `bill-of-lading-${billOfLadingNumber}.${EXTENSIONS[type]}`;
      return { kind: 'ready', value: { billOfLadingNumber, fileName, ...(await store(content)) } };
    });
  }

  /**
   * GET /v2/listings/{listingId}/attachments/{attachmentId} and the file at its `uri`, until it is there; stored
   * under its hash. Accepts any type except a web page.
   */
  async function fetchListingAttachment({ account, listingId, attachmentId, pace }: FetchAttachmentInput) {
    return await poll<StoredAttachment>(pace, async (call) => {
      const reading = await fetchContent('attachment', account, call, async () => {
        const input = { listingId, attachmentId };
        const answer = await marketplaceOf(account).getListingAttachment(input, call);
        return { answer, address: answer.uri };
      });
      if (reading.kind === 'pending') return reading;
      const { answer, content } = reading.value;
      const extension = content.type === null ? 'bin' : EXTENSIONS[content.type];
      const attachment = {
        attachmentId,
        fileName: (answer.fileName ?? `attachment-${attachmentId}.${extension}`).slice(0, MAX_TEXT),
        attachmentType: answer.type,
        fileType: answer.fileType?.slice(0, MAX_TEXT) ?? null,
        notes: answer.notes?.slice(0, MAX_TEXT) ?? null,
      };
      return { kind: 'ready', value: { ...attachment, ...(await store(content)) } };
    });
  }

  return { pollBillOfLading, fetchListingAttachment };
}
