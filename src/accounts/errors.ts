import { UserError } from '../platform/user-error';

/** Thrown when the accounts file cannot be used; names the file and every problem by its path. */
export class AccountsError extends UserError {
  override readonly name = 'AccountsError';

  /** @param reason of the file of one secret: that it is not there, or holds nothing */
  constructor(
    message: string,
    readonly reason: 'missing' | 'empty' | null = null,
  ) {
    super(message);
  }
}
