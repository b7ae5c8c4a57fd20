import type { ListedDocument } from '../../../domain/documents';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { printable } from '../printable';
import type { ShipmentDocuments } from '../../client/order-documents';
import { saveDocuments, type SavedDocument } from '../../client/save-documents';
import { documentTitle, missingLines, sizeText } from '../show-documents';
import { table } from '../table';
import { timeText } from '../time-text';

export interface DocumentsOptions {
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly retry?: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** `consign documents`. */
export async function orderDocuments(
  context: CliContext,
  text: string,
  options: DocumentsOptions,
): Promise<void> {
  if (options.retry === true) {
    await retryDocuments(context, text, options);
    return;
  }
  const { account, orderId } = await context.orderOf(text);
  await showDocuments(
    context,
    await context.withShipments(async (shipments) => await shipments.documents(account, orderId)),
    options,
  );
}

async function retryDocuments(
  context: CliContext,
  text: string,
  { by = '', reason = '', json }: DocumentsOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  await context.withShipments(
    async (shipments) =>
      await confirm(
        { context, json, what: 'retry' },
        async () => await shipments.retryDocuments(account, orderId, { by, reason }),
      ),
  );
}

async function showDocuments(
  context: CliContext,
  found: ShipmentDocuments,
  { out, force, json }: DocumentsOptions,
): Promise<void> {
  const { stored: documents } = found;
  const saved =
    out === undefined
      ? []
      : await saveDocuments(documents, await context.files(), { folder: out, isForced: force });
  if (json === true) {
    for (const [index, document] of documents.entries()) {
      context.print(JSON.stringify({ ...document, ...outcomeOf(saved[index]) }));
    }
  } else {
    context.print(renderDocuments(documents));
    for (const line of missingLines(found)) context.print(line);
    for (const one of saved) if (one.outcome !== 'failed') context.print(`${one.outcome}: ${one.file}`);
  }
  for (const one of saved) {
    if (one.outcome !== 'failed') continue;
    context.warn(`${documentTitle(one.document)} was not written: ${one.reason}`);
    process.exitCode = ExitCode.Failed;
  }
}

function outcomeOf(saved: SavedDocument | undefined): object {
  if (saved === undefined) return {};
  const { document: _, ...outcome } = saved;
  return outcome;
}

function renderDocuments(documents: readonly ListedDocument[]): string {
  if (documents.length === 0) return 'No documents yet.';
  return table(
    ['DOCUMENT', 'FILE', 'TYPE', 'SIZE', 'FETCHED', 'SHA-256'],
    documents.map((document) => [
      documentTitle(document),
      printable(document.fileName),
      document.contentType,
      sizeText(document.sizeInBytes),
      document.fetchedAt == null ? 'with the order' : timeText(document.fetchedAt),
      document.sha256,
    ]),
  );
}
