import { Argument, Command, InvalidArgumentError } from 'commander';
import { commandLines } from '../../../domain/command-lines';
import { parseMoney } from '../../../domain/money';
import type { AnswerKind } from '../../../domain/question';
import type { AnswerOptions } from '../commands/answer';
import type { AttentionCommandOptions } from '../commands/attention';
import type { AcknowledgeOptions, ListEventsOptions } from '../commands/events';
import type { ReviseOptions } from '../commands/revise';
import type { CliContext } from '../context';
import { orderArgument } from '../order-argument';
import { parseLimit } from '../parse-limit';

/** `consign attention`: everything that needs a person, for people and for monitoring. */
export function attentionCommand(context: CliContext): Command {
  return new Command('attention')
    .description(
      'show everything that needs a person: open questions, failing workflows, shipments that Temporal ended, records that cannot be read, queues without a worker',
    )
    .option('--json', 'print the report as JSON')
    .option('--fail', 'exit code 1 when anything needs a person, for monitoring')
    .action(async (options: AttentionCommandOptions) => {
      const { attention } = await import('../commands/attention.ts');
      await attention(context, options);
    });
}

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
      const { answer } = await import('../commands/answer.ts');
      await answer(context, text, { ...options, kind });
    });
}

function parsePremium(text: string): number {
  const minorUnits = parseMoney(text, '')?.minorUnits ?? 0;
  if (minorUnits <= 0) throw new InvalidArgumentError('give an amount above 0, such as 48.50.');
  return minorUnits;
}

/** Part of the usage: an answer that lacks what it needs is none. */
function needOption(command: Command): void {
  const kind = KINDS.find((known) => known === command.processedArgs[1]);
  const lacking = kind === undefined ? undefined : NEEDS[kind];
  if (lacking === undefined || command.getOptionValue(lacking) !== undefined) return;
  const shows = `\`${commandLines.show('ORDER')}\` and the marketplace's website show which`;
  command.error(`${kind} needs --${lacking}${lacking === 'document' ? '' : `; ${shows}`}.`);
}

/** `consign revise`: another document for an order that waits with a question, or for its booking. */
export function reviseCommand(context: CliContext): Command {
  return new Command('revise')
    .description(
      'answer the open question with a corrected order document, or change the open listing of a furniture order',
    )
    .argument('<file>', 'the complete corrected order, JSON or YAML; - is standard input')
    .requiredOption('--by <name>', 'who revises it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--question <id>', 'the question that you read; default: the open one')
    .option('--json', 'print the outcome as JSON, each on a line of its own')
    .action(async (file: string, options: ReviseOptions) => {
      const { reviseOrder } = await import('../commands/revise.ts');
      await reviseOrder(context, file, options);
    });
}

/** `consign cancel`. */
export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('withdraw an order that is not booked; it then starts again only with --checked')
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who withdraws it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, options: AnswerOptions) => {
      const { withdraw } = await import('../commands/answer.ts');
      await withdraw(context, text, options);
    });
}

/** `consign events`: what became of events that no running shipment took. */
export function eventsCommand(context: CliContext): Command {
  return new Command('events')
    .description('events that no running shipment took: foreign ones, unrouted ones, late ones')
    .addCommand(listEventsCommand(context))
    .addCommand(replayCommand(context))
    .addCommand(acknowledgeCommand(context));
}

function listEventsCommand(context: CliContext): Command {
  return new Command('list')
    .description('one line for each listing, the newest first')
    .option('--foreign', 'of listings that name no order of ours')
    .option('--unrouted', 'of listings that are being looked up, or that cannot be read')
    .option('--late', 'of orders that are over')
    .option('--limit <n>', 'how many at the most', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async (options: ListEventsOptions) => {
      const { listEvents } = await import('../commands/events.ts');
      await listEvents(context, options);
    });
}

function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description('find the order that a listing belongs to, and deliver its event')
    .argument('<account>', 'the account whose key reads the listing')
    .argument('<listingId>', 'the listing')
    .option('--json', 'print what was found as JSON')
    .action(async (account: string, listingId: string, options: { readonly json?: boolean }) => {
      const { replay } = await import('../commands/events.ts');
      await replay(context, { account, listingId, ...options });
    });
}

function acknowledgeCommand(context: CliContext): Command {
  return new Command('acknowledge')
    .description(
      'take a late event, or a shipment that Temporal ended, off the list of attention: somebody has seen to it',
    )
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who has seen to it')
    .requiredOption('--reason <text>', 'what was done')
    .option('--listing <id>', 'which listing; needed where several listings of the order ask')
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, options: AcknowledgeOptions) => {
      const { acknowledge } = await import('../commands/events.ts');
      await acknowledge(context, text, options);
    });
}
