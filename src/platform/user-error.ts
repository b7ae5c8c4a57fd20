import { ExitCode } from './exit-code';

export interface UserErrorOptions {
  readonly exitCode?: ExitCode;
  /** What to do: whole sentences, with the command to type. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Thrown for problems that the person who runs a command or process can fix. It is printed without a stack, and its exit
 * code is the process's. Any other error is a bug.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly exitCode: ExitCode;
  readonly hint: string | null;

  constructor(message: string, { exitCode = ExitCode.Invalid, hint, cause }: UserErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.hint = hint ?? null;
  }

  /** The message, and what to do. */
  explain(): string {
    return this.hint === null ? this.message : `${this.message} ${this.hint}`;
  }
}
