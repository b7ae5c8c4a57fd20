import type { AccountPin } from '../domain/account-pin';
import { bearerTokenOf } from '../platform/network/bearer-token';

/** One webhook URL: its secret, and the accounts whose events it receives. */
export interface Integration {
  readonly name: string;
  readonly secret: () => Promise<string>;
  readonly accounts: readonly AccountPin[];
}

/** The secret that a request carries: in the path, as a bearer token, or in `x-webhook-secret`. */
export function presentedSecret(
  path: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  if (path !== undefined) return path;
  const bearer = bearerTokenOf(headers);
  if (bearer !== undefined) return bearer;
  const header = headers['x-webhook-secret'];
  return typeof header === 'string' ? header : undefined;
}
