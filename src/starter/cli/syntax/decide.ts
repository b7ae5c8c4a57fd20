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
      'show everything that needs a person: open questions, failing workflows, shipments that Temporal ended, records that cannot be read, queues without a worker, calls and endpoints that fail',
    )
    .option('--json', 'print the report as JSON')
    .option('--fail', 'exit with code 1 when anything needs a person, for monitoring')
    .action(async (options: AttentionCommandOptions) => {
      const { attention } = await import('../commands/attention.ts');
      await attention(context, options);
    });
}

/** Every answer that a question can offer. */
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
 * The option that an answer cannot do without. `resend` and `abandon` state that nothing exists: they must name the
 * question that the person read, because a later question may be about something else.
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
      'the question that you read (required for resend and abandon); default: the open question',
    )
    .option('--listing <id>', 'with adopt: the id of the listing that belongs to this order')
    .option('--rate <id>', 'with selectRate: the id of the rate')
    .option(
      '--checked <text>',
      'what you checked with the marketplace or the carrier; required when a refusal asks for it',
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

/** An answer without its option is a usage error, and is never sent. */
function needOption(command: Command): void {
  const kind = KINDS.find((known) => known === command.processedArgs[1]);
  const lacking = kind === undefined ? undefined : NEEDS[kind];
  if (lacking === undefined || command.getOptionValue(lacking) !== undefined) return;
  const shows = `\`${commandLines.show('ORDER')}\` and the marketplace's website show it`;
  command.error(`${kind} needs --${lacking}${lacking === 'document' ? '' : `; ${shows}`}.`);
}

/** `consign revise`: a corrected document for an order that has an open question or is not booked yet. */
export function reviseCommand(context: CliContext): Command {
  return new Command('revise')
    .description(
      'answer the open question with a corrected order document, or change the open listing of a furniture order',
    )
    .argument('<file>', 'the complete corrected order, JSON or YAML; - is standard input')
    .requiredOption('--by <name>', 'who revises it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--question <id>', 'the question that you read; default: the open question')
    .option('--json', 'print each outcome as one line of JSON')
    .action(async (file: string, options: ReviseOptions) => {
      const { reviseOrder } = await import('../commands/revise.ts');
      await reviseOrder(context, file, options);
    });
}

/** `consign cancel`. */
export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('withdraw an order before it is booked; starting it again requires --checked')
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who withdraws it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, options: AnswerOptions) => {
      const { withdraw } = await import('../commands/answer.ts');
      await withdraw(context, text, options);
    });
}

/** `consign events`: events that no running shipment received. */
export function eventsCommand(context: CliContext): Command {
  return new Command('events')
    .description('inspect events that no running shipment received: foreign, unrouted and late ones')
    .addCommand(listEventsCommand(context))
    .addCommand(replayCommand(context))
    .addCommand(acknowledgeCommand(context));
}

function listEventsCommand(context: CliContext): Command {
  return new Command('list')
    .description('list events that no running shipment received, one line for each listing, newest first')
    .option('--foreign', 'events whose listing belongs to no Consign order')
    .option('--unrouted', 'events whose listing is still being read, or cannot be read')
    .option('--late', 'events that arrived after their order ended')
    .option('--limit <n>', 'maximum number of lines', parseLimit, 50)
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
    .description('record that a person has handled a late event, or a shipment that Temporal ended')
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who handled it')
    .requiredOption('--reason <text>', 'what was done')
    .option('--listing <id>', 'which listing; required when several listings of the order need a person')
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, options: AcknowledgeOptions) => {
      const { acknowledge } = await import('../commands/events.ts');
      await acknowledge(context, text, options);
    });
}
