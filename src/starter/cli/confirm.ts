import { EXIT_CODES } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';
import type { Receipt } from '../client/request';
import type { CliContext } from './context';

/** Where an outcome is printed. */
interface Output {
  readonly context: Pick<CliContext, 'print' | 'warn'>;
  /** Prints the outcome as JSON. */
  readonly json: boolean | undefined;
}

interface Confirmation extends Output {
  /** The noun for what the person sends: "Answer accepted." */
  readonly what: 'acknowledgement' | 'answer' | 'retry' | 'withdrawal';
  /** What it means that nothing was left to do. */
  readonly doneBefore?: string;
}

/** Sends a person's request, and prints its outcome. */
export async function confirm(
  { what, doneBefore = 'It was done before.', ...output }: Confirmation,
  send: () => Promise<Receipt>,
): Promise<void> {
  await reportErrors(output, async () => {
    const { outcome } = await send();
    printOutcome(output, outcome, outcome === 'accepted' ? acceptedText(what) : doneBefore);
  });
}

/** Prints an error, with its kind as the outcome, and sets the exit code. */
export async function reportErrors({ context, json }: Output, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (json === true) printOutcome({ context, json }, error.kind, error.explain());
    else context.warn(error.explain());
    process.exitCode = EXIT_CODES[error.kind];
  }
}

export function printOutcome({ context, json }: Output, outcome: string, text: string): void {
  context.print(json === true ? JSON.stringify({ outcome, text }) : text);
}

/** `Answer accepted.` */
export const acceptedText = (what: string): string => `${what[0]?.toUpperCase()}${what.slice(1)} accepted.`;
