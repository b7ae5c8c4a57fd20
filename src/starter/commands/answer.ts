import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { parseMoney } from '../../domain/money';
import type { Answer, AnswerKind } from '../../domain/question';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { ANSWER_DEADLINE_MS, sendAnswer, sendWithdrawal } from '../send-answer';
import type { ShipmentClient } from '../shipment-client';

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
] as const satisfies readonly AnswerKind[];
type Kind = (typeof KINDS)[number];

/**
 * The option without which an answer says nothing, or too much: that nothing exists is said of the question that was
 * read, never of one that came after it.
 */
const NEEDS: Partial<Record<Kind, 'listing' | 'rate' | 'premium' | 'question'>> = {
  adopt: 'listing',
  selectRate: 'rate',
  premium: 'premium',
  resend: 'question',
  abandon: 'question',
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
}

function parsePremium(text: string): number {
  const minorUnits = parseMoney(text, '')?.minorUnits ?? 0;
  if (minorUnits <= 0) throw new InvalidArgumentError('give an amount above 0, such as 48.50.');
  return minorUnits;
}

export function answerCommand(context: CliContext): Command {
  return new Command('answer')
    .description('answer the open question of a shipment; `consign show` prints it')
    .argument('<order>', '<account>/<orderId>, or the order id where there is one account')
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
    .action(async (text: string, kind: Kind, options: AnswerOptions) => {
      const lacking = NEEDS[kind];
      if (lacking !== undefined && options[lacking] === undefined) {
        context.warn(
          `${kind} needs --${lacking}; \`consign show\` and the marketplace's website show which.`,
        );
        process.exitCode = ExitCode.Invalid;
        return;
      }
      const { account, orderId } = context.orderOf(text);
      await context.withShipments(async (shipments, client) => {
        const questionId =
          options.question ?? (await openQuestionOf(context, shipments, { account, orderId }));
        if (questionId === null) return;
        const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
        const { runId } = await handle.describe();
        const { by, reason, checked } = options;
        const statement = { by, reason, ...(checked === undefined ? {} : { checked }) };
        const again = `repeat it with --question ${questionId}`;
        await confirm(
          { context, client, again },
          async () => await sendAnswer(handle, { questionId, runId, ...statement }, answerOf(kind, options)),
        );
      });
    });
}

/** The id of the open question; null, said and with an exit code, when there is none. */
export async function openQuestionOf(
  context: CliContext,
  shipments: ShipmentClient,
  { account, orderId }: OrderKey,
): Promise<string | null> {
  const view = await shipments.get(account, orderId);
  if (view.state?.question != null) return view.state.question.id;
  if (view.state === null && view.status === 'RUNNING') {
    context.warn(`${view.workflowId}: no worker answers; start one, or name the question with --question.`);
    process.exitCode = ExitCode.Unreachable;
    return null;
  }
  context.warn(`${view.workflowId} has no open question.`);
  process.exitCode = ExitCode.Invalid;
  return null;
}

export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('withdraw an order that is not booked; it then starts again only with --checked')
    .argument('<order>', '<account>/<orderId>, or the order id where there is one account')
    .requiredOption('--by <name>', 'who withdraws it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .action(async (text: string, { by, reason }: AnswerOptions) => {
      const { account, orderId } = context.orderOf(text);
      await context.withShipments(async (shipments, client) => {
        await shipments.get(account, orderId);
        const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
        const again = 'repeating it is safe';
        const whenOver = async (): Promise<Over> => await overOf(shipments, { account, orderId });
        await confirm(
          { context, client, again, whenOver },
          async () => await sendWithdrawal(handle, { by, reason }),
        );
      });
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

/** What it means that there is nobody to tell. */
export interface Over {
  /** It is as it was wanted to be, so that a repeated click succeeds. */
  readonly isWanted: boolean;
  readonly text: string;
}

const SHIPMENT_OVER: Over = {
  isWanted: false,
  text: 'the shipment is over; there is nothing to answer or to withdraw',
};

export interface Confirmation {
  readonly context: CliContext;
  readonly client: Client;
  /** How to do it again when nobody knows whether it was taken. */
  readonly again: string;
  /** Of a shipment's answer when left out. */
  readonly whenOver?: () => Promise<Over>;
}

export async function confirm(
  { context, client, again, whenOver }: Confirmation,
  update: () => Promise<void>,
): Promise<void> {
  try {
    await client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, update);
    context.print('taken');
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) {
      context.warn(`refused: ${error.cause?.message ?? error.message}`);
      process.exitCode = ExitCode.Invalid;
      return;
    }
    if (error instanceof WorkflowNotFoundError) {
      const { isWanted, text } = (await whenOver?.()) ?? SHIPMENT_OVER;
      if (isWanted) context.print(text);
      else context.warn(text);
      if (!isWanted) process.exitCode = ExitCode.Invalid;
      return;
    }
    if (!(error instanceof ServiceError || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError))
      throw error;
    context.warn(`not confirmed, and may still be applied; ${again} (${error.message})`);
    process.exitCode = ExitCode.Unreachable;
  }
}

/** The answer with what its kind needs; `NEEDS` has seen to it that it is there. */
function answerOf(kind: Kind, { listing = '', rate = '', premium = 0 }: AnswerOptions): Answer {
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
