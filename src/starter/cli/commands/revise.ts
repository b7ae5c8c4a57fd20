import { commandLines } from '../../../domain/command-lines';
import { orderReference, type OrderKey } from '../../../domain/workflow-id';
import { ExitCode } from '../../../platform/exit-code';
import type { Revision } from '../../client/revise-order';
import { acceptedText, printOutcome, reportErrors } from '../confirm';
import type { CliContext } from '../context';
import { prepare } from '../prepare';

export interface ReviseOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
  readonly json?: boolean;
}

/**
 * `consign revise`: a corrected document for an order that has an open question or is not booked yet.
 * @param options `order`: the order that the person named; the document must contain it
 */
export async function reviseOrder(
  context: CliContext,
  file: string,
  options: ReviseOptions & { readonly order?: OrderKey },
): Promise<void> {
  const order = await prepare(context, file);
  if (order === null) return;
  const { by, reason, question, json, order: named } = options;
  const { account, orderId } = order.shipment;
  if (named !== undefined && (named.account !== account || named.orderId !== orderId)) {
    const other = orderReference(named.account, named.orderId);
    context.warn(`${file} contains order ${orderReference(account, orderId)}, not ${other}.`);
    process.exitCode = ExitCode.Invalid;
    return;
  }
  await context.withShipments(
    async (shipments) =>
      await reportErrors({ context, json }, async () => {
        const revision = await shipments.revise(order, { by, reason, questionId: question });
        printOutcome({ context, json }, 'accepted', acceptedText(revision.kind));
        if (revision.kind === 'change') printReport(context, { account, orderId }, revision, json === true);
      }),
  );
}

function printReport(
  context: CliContext,
  order: OrderKey,
  { report }: Extract<Revision, { kind: 'change' }>,
  isJson: boolean,
): void {
  const { status, what } = report;
  if (status === 'refused') process.exitCode = ExitCode.Invalid;
  if (isJson) context.print(JSON.stringify(report));
  else if (status === 'refused') context.warn(what);
  else if (status === 'done') context.print(what);
  else context.print(`${what} \`${commandLines.show(order)}\` shows its result.`);
}
