/** Thrown when the accounts file cannot be used; names the file and every problem by its path. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
}
