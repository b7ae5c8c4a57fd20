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

/** What it means that there is nobody to tell. */
export interface Over {
  /** It is as it was wanted to be, so that a repeated click succeeds. */
  readonly isWanted: boolean;
  readonly text: string;
}

export const SHIPMENT_OVER: Over = {
  isWanted: false,
  text: 'the shipment is over; there is nothing to answer or to withdraw',
};

export interface Confirmation {
  readonly context: Pick<CliContext, 'print' | 'warn'>;
  readonly client: Client;
  /** Prints the outcome as JSON. */
  readonly json: boolean | undefined;
  /** How to do it again when nobody knows whether it was taken. */
  readonly again: string;
  /** Of a shipment's answer when left out. */
  readonly whenOver?: () => Promise<Over>;
}

/** What became of what a person said, as `--json` prints it. */
type Outcome = 'taken' | 'doneBefore' | 'refused' | 'over' | 'notConfirmed';

const CODES: Readonly<Record<Outcome, ExitCode>> = {
  taken: ExitCode.Ok,
  doneBefore: ExitCode.Ok,
  refused: ExitCode.Invalid,
  over: ExitCode.Invalid,
  notConfirmed: ExitCode.Unreachable,
};

/**
 * Sends what a person says, and tells what became of it.
 * @returns whether it was taken
 */
export async function confirm(confirmation: Confirmation, update: () => Promise<void>): Promise<boolean> {
  const { outcome, text } = await outcomeOf(confirmation, update);
  tellOutcome(confirmation, outcome, text);
  return outcome === 'taken';
}

/** Prints what became of it, and sets the exit code. */
export function tellOutcome(
  { context, json }: Pick<Confirmation, 'context' | 'json'>,
  outcome: Outcome,
  text: string = outcome,
): void {
  const code = CODES[outcome];
  if (json === true) context.print(JSON.stringify({ outcome, text }));
  else if (code === ExitCode.Ok) context.print(text);
  else context.warn(text);
  if (code !== ExitCode.Ok) process.exitCode = code;
}

async function outcomeOf(
  { client, again, whenOver }: Confirmation,
  update: () => Promise<void>,
): Promise<{ readonly outcome: Outcome; readonly text: string }> {
  try {
    await client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, update);
    return { outcome: 'taken', text: 'taken' };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      return { outcome: 'refused', text: `refused: ${error.cause?.message ?? error.message}` };
    if (error instanceof WorkflowNotFoundError) {
      const { isWanted, text } = (await whenOver?.()) ?? SHIPMENT_OVER;
      return { outcome: isWanted ? 'doneBefore' : 'over', text };
    }
    if (!(error instanceof ServiceError || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError))
      throw error;
    return {
      outcome: 'notConfirmed',
      text: `not confirmed, and may still be applied; ${again} (${error.message})`,
    };
  }
}
