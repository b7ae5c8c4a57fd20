import { Argument, Command, InvalidArgumentError } from 'commander';
import { commandLines } from '../../domain/command-lines';
import { parseMoney } from '../../domain/money';
import type { Answer, AnswerKind } from '../../domain/question';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { confirm, SHIPMENT_OVER, type Over } from '../confirm';
import type { CliContext } from '../context';
import { openQuestionOf } from '../open-question';
import { orderArgument } from '../order-argument';
import { sendAnswer, sendWithdrawal } from '../send-answer';
import type { ShipmentClient } from '../shipment-client';
import { reviseOrder } from './revise';

/** All that a question can name as an answer. */
const KINDS = [
  'approve',
  'selectRate',
  'adopt',
  'resend',
  'abandon',
  'retry',
  'postpone',
  'rebook',
  'close',
  'premium',
  'revise',
  'cancel',
] as const satisfies readonly AnswerKind[];
/** Those that have a command of their own as well. */
type Kind = Exclude<AnswerKind, 'revise' | 'cancel'>;

/**
 * The option without which an answer says nothing, or too much: that nothing exists is said of the question that was
 * read, never of one that came after it.
 */
const NEEDS: Partial<Record<AnswerKind, 'listing' | 'rate' | 'premium' | 'question' | 'document'>> = {
  adopt: 'listing',
  selectRate: 'rate',
  premium: 'premium',
  resend: 'question',
  abandon: 'question',
  revise: 'document',
};

interface AnswerOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
  readonly listing?: string;
  readonly rate?: string;
  readonly checked?: string;
  /** Hundredths of the currency of the price. */
  readonly premium?: number;
  readonly document?: string;
  readonly json?: boolean;
}

function parsePremium(text: string): number {
  const minorUnits = parseMoney(text, '')?.minorUnits ?? 0;
  if (minorUnits <= 0) throw new InvalidArgumentError('give an amount above 0, such as 48.50.');
  return minorUnits;
}

/** `consign answer`: each answer that a question names, `revise` and `cancel` included. */
export function answerCommand(context: CliContext): Command {
  return new Command('answer')
    .description(`answer the open question of a shipment; \`${commandLines.show('ORDER')}\` prints it`)
    .addArgument(orderArgument())
    .addArgument(new Argument('<answer>', 'what to do').choices(KINDS))
    .requiredOption('--by <name>', 'who answers')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option(
      '--question <id>',
      'the question that you read (needed for resend and abandon); default: the open one',
    )
    .option('--listing <id>', 'with adopt: the id of the listing that belongs to this order')
    .option('--rate <id>', 'with selectRate: the id of the rate')
    .option(
      '--checked <text>',
      'what you checked at the marketplace or with the carrier; needed where the refusal asks for it',
    )
    .option(
      '--premium <amount>',
      'with premium: what the coverage costs, such as 48.50, in the currency of the price',
      parsePremium,
    )
    .option('--document <file>', 'with revise: the complete corrected order')
    .option('--json', 'print the outcome as JSON')
    .hook('preAction', needOption)
    .action(async (text: string, kind: AnswerKind, options: AnswerOptions) => {
      const order = context.orderOf(text);
      if (kind === 'cancel') await withdraw(context, order, options);
      else if (kind === 'revise') await reviseOrder(context, options.document ?? '-', { ...options, order });
      else await answer(context, order, { kind, ...options });
    });
}

/** Part of the usage: an answer that lacks what it needs is none. */
function needOption(command: Command): void {
  const kind = KINDS.find((known) => known === command.processedArgs[1]);
  const lacking = kind === undefined ? undefined : NEEDS[kind];
  if (lacking === undefined || command.getOptionValue(lacking) !== undefined) return;
  const shows = `\`${commandLines.show('ORDER')}\` and the marketplace's website show which`;
  command.error(`${kind} needs --${lacking}${lacking === 'document' ? '' : `; ${shows}`}.`);
}

async function answer(
  context: CliContext,
  { account, orderId }: OrderKey,
  options: AnswerOptions & { readonly kind: Kind },
): Promise<void> {
  const { by, reason, checked, json } = options;
  await context.withShipments(async (shipments, client) => {
    const questionId = options.question ?? (await openQuestionOf(context, shipments, { account, orderId }));
    if (questionId === null) return;
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    const { runId } = await handle.describe();
    const statement = { by, reason, ...(checked === undefined ? {} : { checked }) };
    const again = `repeat it with --question ${questionId}`;
    await confirm({ context, client, json, again }, async () => {
      await sendAnswer(handle, { questionId, runId, ...statement }, answerOf(options));
    });
  });
}

/** The answer with what its kind needs; `needOption` has seen to it that it is there. */
function answerOf({
  kind,
  listing = '',
  rate = '',
  premium = 0,
}: AnswerOptions & { readonly kind: Kind }): Answer {
  switch (kind) {
    case 'adopt':
      return { kind, listingId: listing };
    case 'selectRate':
      return { kind, rateId: rate };
    case 'premium':
      return { kind, premiumMinorUnits: premium };
    default:
      return { kind };
  }
}

/** `consign cancel`. */
export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('withdraw an order that is not booked; it then starts again only with --checked')
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who withdraws it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--json', 'print the outcome as JSON')
    .action(
      async (text: string, options: AnswerOptions) => await withdraw(context, context.orderOf(text), options),
    );
}

async function withdraw(
  context: CliContext,
  { account, orderId }: OrderKey,
  { by, reason, json }: AnswerOptions,
): Promise<void> {
  await context.withShipments(async (shipments, client) => {
    await shipments.get(account, orderId);
    const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
    const again = 'repeating it is safe';
    const whenOver = async (): Promise<Over> => await overOf(shipments, { account, orderId });
    await confirm(
      { context, client, json, again, whenOver },
      async () => await sendWithdrawal(handle, { by, reason }),
    );
  });
}

const NOTHING_BOOKED = new Set(['FAILED', 'CANCELLED']);

/** A shipment that failed, was withdrawn or was cancelled is what its withdrawal wanted: that may have been this very click. */
async function overOf(shipments: ShipmentClient, { account, orderId }: OrderKey): Promise<Over> {
  const { status, withdrawal } = await shipments.get(account, orderId);
  return NOTHING_BOOKED.has(status) || withdrawal !== null
    ? { isWanted: true, text: 'the order is over already, and nothing is booked' }
    : SHIPMENT_OVER;
}
