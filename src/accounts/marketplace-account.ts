import {
  DEFAULT_SETTINGS,
  type MarketplaceAccount,
  type MarketplaceAuth,
  type SecretSource,
} from '../marketplace/account';
import type { Environment, SecretReference } from '../platform/secret-reference';
import { isSandboxOnThisMachine, resolveUrl, secretSource } from './references';
import type { AccountWire, AuthWire } from './schema';

/** What the client needs to know about an account. Problems are reported, not thrown. */
export function toMarketplaceAccount(
  name: string,
  wire: AccountWire,
  env: Environment,
  problems: string[],
): MarketplaceAccount {
  const at = `$.accounts.${name}`;
  const baseUrl = resolveUrl(wire.baseUrl, env, { at: `${at}.baseUrl`, problems });
  const isLocal = isSandboxOnThisMachine(wire.environment, baseUrl);
  const webUrl =
    wire.webUrl === undefined ? baseUrl : resolveUrl(wire.webUrl, env, { at: `${at}.webUrl`, problems });
  const secret = (reference: SecretReference, field: string, isSafe = isLocal): SecretSource =>
    secretSource(reference, env, { at: `${at}.${field}`, problems, isLocal: isSafe });
  const isWebLocal = isLocal && isSandboxOnThisMachine(wire.environment, webUrl);
  checkHeaderKey(wire, at, problems);
  return {
    name,
    environment: wire.environment,
    baseUrl,
    webUrl,
    auth: toAuth(wire.auth, (reference, field) => secret(reference, `auth.${field}`)),
    xApiKey: wire.xApiKey && secret(wire.xApiKey, 'xApiKey'),
    web: wire.web && {
      username: secret(wire.web.username, 'web.username', isWebLocal),
      password: secret(wire.web.password, 'web.password', isWebLocal),
    },
    source: wire.source,
    integratorId: wire.integratorId ?? null,
    userId: wire.userId ?? null,
    settings: { ...DEFAULT_SETTINGS, ...wire.settings },
  };
}

/** `x-api-key` needs an API key: an account that signs in with tokens must name one for it. */
function checkHeaderKey({ auth, settings, xApiKey }: AccountWire, at: string, problems: string[]): void {
  if ((settings?.xApiKeyCalls ?? 'none') === 'none' || xApiKey !== undefined || 'apiKey' in auth) return;
  problems.push(
    `${at}.settings.xApiKeyCalls: the account's auth is not an API key; name a key as its xApiKey`,
  );
}

function toAuth(
  wire: AuthWire,
  secret: (reference: SecretReference, field: string) => SecretSource,
): MarketplaceAuth {
  if ('apiKey' in wire) return { kind: 'apiKey', key: secret(wire.apiKey, 'apiKey') };
  if ('xApiKey' in wire) return { kind: 'xApiKey', key: secret(wire.xApiKey, 'xApiKey') };
  if ('clientCredentials' in wire) {
    const { clientId, clientSecret } = wire.clientCredentials;
    return {
      kind: 'clientCredentials',
      clientId: secret(clientId, 'clientId'),
      clientSecret: secret(clientSecret, 'clientSecret'),
    };
  }
  const { clientId, clientSecret, username, password } = wire.passwordGrant;
  return {
    kind: 'passwordGrant',
    clientId: secret(clientId, 'clientId'),
    clientSecret: secret(clientSecret, 'clientSecret'),
    username: secret(username, 'username'),
    password: secret(password, 'password'),
  };
}
