import { UserError } from '../platform/user-error';

/** Thrown when the accounts file is invalid or cannot be read; names the file and every problem by its path. */
export class AccountsError extends UserError {
  override readonly name = 'AccountsError';
  override readonly kind = 'invalidAccounts';
}
