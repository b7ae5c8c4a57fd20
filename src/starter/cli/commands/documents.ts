import { shipmentWorkflowId } from '../../../domain/workflow-id';
import { listDocuments, type ListedDocument } from '../../../domain/documents';
import type { ShipmentState } from '../../../domain/shipment-state';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { printable } from '../printable';
import { saveDocuments, type SavedDocument } from '../save-documents';
import { sendFetchDocuments } from '../../client/send-answer';
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
  const view = await context.withShipments(async (shipments) => await shipments.get(account, orderId));
  if (view.state === null) {
    context.warn(`No worker answers for ${view.workflowId}. Start one, then run the command again.`);
    process.exitCode = ExitCode.Unreachable;
    return;
  }
  await showDocuments(context, view.state, options);
}

async function retryDocuments(
  context: CliContext,
  text: string,
  { by = '', reason = '', json }: DocumentsOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  await context.withShipments(async (shipments, client) => {
    await shipments.get(account, orderId);
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    await confirm({ context, client, json, what: 'retry' }, async () => {
      await sendFetchDocuments(handle, { by, reason });
    });
  });
}

async function showDocuments(
  context: CliContext,
  state: ShipmentState,
  { out, force, json }: DocumentsOptions,
): Promise<void> {
  const documents = listDocuments(state);
  const saved =
    out === undefined
      ? []
      : await saveDocuments(documents, await context.files(), { folder: out, isForced: force === true });
  if (json === true) {
    for (const [index, document] of documents.entries()) {
      context.print(JSON.stringify({ ...document, ...outcomeOf(saved[index]) }));
    }
  } else {
    context.print(renderDocuments(documents));
    for (const line of missingLines(state)) context.print(line);
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
