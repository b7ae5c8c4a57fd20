import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import type { CliContext } from './context';
import { ExitCode } from '../../platform/exit-code';
import { ANSWER_DEADLINE_MS } from '../client/send-answer';

/** What it means that no workflow is there to receive the request. */
export interface Over {
  /** The request has been fulfilled before: repeating it succeeds. */
  readonly isWanted: boolean;
  readonly text: string;
}

export const SHIPMENT_OVER: Over = {
  isWanted: false,
  text: 'The shipment has ended: there is nothing to answer or to withdraw.',
};

export type Sent = 'acknowledgement' | 'answer' | 'change' | 'retry' | 'withdrawal';

export interface Confirmation {
  readonly context: Pick<CliContext, 'print' | 'warn'>;
  readonly client: Client;
  /** Prints the outcome as JSON. */
  readonly json: boolean | undefined;
  /** The noun for what the person sends: "Answer accepted." */
  readonly what: Sent;
  /** Named when the command is run again: the answer must not reach a later question. */
  readonly questionId?: string;
  /** Default: the shipment has ended. */
  readonly whenOver?: () => Promise<Over>;
}

/** The result of a request, as `--json` prints it. */
type Outcome = 'taken' | 'doneBefore' | 'refused' | 'over' | 'notConfirmed';

const CODES: Readonly<Record<Outcome, ExitCode>> = {
  taken: ExitCode.Ok,
  doneBefore: ExitCode.Ok,
  refused: ExitCode.Invalid,
  over: ExitCode.Invalid,
  notConfirmed: ExitCode.Unreachable,
};

/**
 * Sends a person's request, and prints its result.
 * @returns whether it was accepted
 */
export async function confirm(confirmation: Confirmation, update: () => Promise<void>): Promise<boolean> {
  const { outcome, text } = await outcomeOf(confirmation, update);
  printOutcome(confirmation, outcome, text);
  return outcome === 'taken';
}

/** Prints the result of a request, and sets the exit code. */
export function printOutcome(
  { context, json }: Pick<Confirmation, 'context' | 'json'>,
  outcome: Outcome,
  text: string,
): void {
  const code = CODES[outcome];
  if (json === true) context.print(JSON.stringify({ outcome, text }));
  else if (code === ExitCode.Ok) context.print(text);
  else context.warn(text);
  if (code !== ExitCode.Ok) process.exitCode = code;
}

/** `Answer accepted.` */
export const acceptedText = (what: Sent): string => `${what[0]?.toUpperCase()}${what.slice(1)} accepted.`;

async function outcomeOf(
  { client, what, questionId, whenOver }: Confirmation,
  update: () => Promise<void>,
): Promise<{ readonly outcome: Outcome; readonly text: string }> {
  try {
    await client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, update);
    return { outcome: 'taken', text: acceptedText(what) };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      return { outcome: 'refused', text: `Refused: ${error.cause?.message ?? error.message}` };
    if (error instanceof WorkflowNotFoundError) {
      const { isWanted, text } = (await whenOver?.()) ?? SHIPMENT_OVER;
      return { outcome: isWanted ? 'doneBefore' : 'over', text };
    }
    if (!(error instanceof ServiceError || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError))
      throw error;
    const question = questionId === undefined ? '' : ` with \`--question ${questionId}\``;
    return {
      outcome: 'notConfirmed',
      text:
        `No confirmation from Temporal; the ${what} may still be applied. ` +
        `It is safe to run the command again${question}. (${error.message})`,
    };
  }
}
