import type { ErrorKind } from './error-kind';

/** What an error says beside its message. */
export interface UserErrorOptions {
  /** What to do: whole sentences, with the command to type. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Thrown for problems that the caller can fix. A command or process prints it without a stack, and ends with the exit
 * code of its kind. Any other error is a bug. Plain `UserError`s are about invalid arguments; each other kind has its
 * class. The message contains no personal data and no secret, and may be logged.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly kind: ErrorKind = 'invalidInput';
  readonly hint: string | null;

  constructor(message: string, { hint, cause }: UserErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint ?? null;
  }

  /** The message, and what to do. */
  explain(): string {
    return this.hint === null ? this.message : `${this.message} ${this.hint}`;
  }
}
