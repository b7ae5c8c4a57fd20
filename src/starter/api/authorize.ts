import type { FastifyRequest } from 'fastify';
import type { ApiScope, ApiToken } from '../../accounts';
import { bearerTokenOf, isSecret } from '../../platform/network/bearer-token';
import { SecretError } from '../../platform/secret-reference';
import { ApiError } from './api-error';

/** Who sends a request, and what the accounts file allows. */
export type Caller = Pick<ApiToken, 'name' | 'scopes' | 'accounts'>;

/**
 * Finds who a bearer token belongs to; null: nobody. It reads each token when it is needed, so a changed file counts at
 * once, and compares all of them, so the time does not reveal which one matched.
 * @param onUnreadable receives why a token cannot be read; the others still count
 */
export async function identify(
  headers: FastifyRequest['headers'],
  tokens: readonly ApiToken[],
  onUnreadable: (reason: string) => void,
): Promise<Caller | null> {
  const given = bearerTokenOf(headers);
  if (given === undefined) return null;
  const secrets = await Promise.all(tokens.map(async ({ token }) => await secretOf(token, onUnreadable)));
  const owners = tokens.filter((_, index) => {
    const secret = secrets[index] ?? null;
    return secret !== null && isSecret(given, secret);
  });
  return owners[0] ?? null;
}

async function secretOf(
  token: ApiToken['token'],
  onUnreadable: (reason: string) => void,
): Promise<string | null> {
  try {
    return await token();
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    onUnreadable(error.message);
    return null;
  }
}

/** Whether a caller may use a route. @throws ApiError with 401 or 403 */
export function authorize(
  caller: Caller | null,
  { scopes, account }: { readonly scopes: readonly ApiScope[]; readonly account: string | null },
): void {
  if (caller === null)
    throw new ApiError('unauthorized', 'Send a token of the accounts file: `Authorization: Bearer TOKEN`.');
  const lacking = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length > 0)
    throw new ApiError('forbidden', `The token lacks the scope ${lacking.join(' and ')}.`);
  if (account !== null) refuseForeignAccount(caller, account);
}

/** @throws ApiError with 403 unless the caller may act for the account, whether it exists or not */
export function refuseForeignAccount({ accounts }: Caller, account: string): void {
  if (!accounts.includes(account)) throw new ApiError('forbidden', 'The token is not for this account.');
}

/** The caller of a route that only callers reach. */
export function callerOf({ caller }: Pick<FastifyRequest, 'caller'>): Caller {
  if (caller === null) throw new TypeError('the route has no guard');
  return caller;
}

/** The account that a path names; null when it names none. */
export function accountIn(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || !('account' in params)) return null;
  return String(params.account);
}
