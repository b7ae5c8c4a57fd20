import { createHash } from 'node:crypto';
import { z } from 'zod';
import { rejectOnAbort } from './reject-on-abort';
import type { MarketplaceAccount, MarketplaceAuth, MarketplaceSettings, SecretSource } from './account';
import { ApiResponse } from './api-response';
import { apiError } from './api-error';
import { CredentialsError, MarketplaceError, type RequestName } from './errors';
import type { Http } from './http';
import { sentSecrets } from './redact';
import { numberSchema } from './schemas/common';
import { readKey, readSecret } from './secret';

/** Credentials for one request. */
interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  /** Whether it was obtained earlier: after a 401 a fresh one may work. */
  readonly renewable: boolean;
  /** Fingerprint of the key, client or user that asks. */
  readonly askedBy: string;
}

export interface Authenticator {
  credential(request: RequestName, signal?: AbortSignal): Promise<Credential>;
  /** Drops a refused credential: the next request gets another one. */
  invalidate(credential: Credential): void;
}

/**
 * Long enough to distinguish an account's keys, and too short to confirm a key, because shipments keep fingerprints
 * in their state.
 */
const FINGERPRINT_LENGTH = 8;

const fingerprintOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, FINGERPRINT_LENGTH);

interface Token {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Null: valid until it is refused. */
  readonly expiresAtMs: number | null;
  readonly renewAtMs: number | null;
  /** Fingerprint of the client or user that obtained the token, or the token that it was refreshed from. */
  readonly askedBy: string;
}

type Grant = Extract<MarketplaceAuth, { kind: 'clientCredentials' | 'passwordGrant' }>;

const MAX_RENEW_AHEAD_MS = 60_000;
/** Share of the token's life before its end: a token that lives ten seconds is not renewed for every request. */
const RENEW_AHEAD_SHARE = 0.2;

const tokenSchema = z.looseObject({
  /** Becomes part of a header. */
  access_token: z
    .string()
    .trim()
    .regex(/^[!-~]+$/, 'must be visible characters'),
  refresh_token: z.string().nullish(),
  expires_in: numberSchema.nullish(),
});

function createKeyAuthenticator(key: SecretSource, header: 'bearer' | 'x-api-key'): Authenticator {
  return {
    async credential(request) {
      const secret = await readKey(key, 'API key', request);
      const headers: Credential['headers'] =
        header === 'bearer' ? { authorization: `Bearer ${secret}` } : { 'x-api-key': secret };
      return { headers, secrets: [secret], renewable: false, askedBy: fingerprintOf(secret) };
    },
    // The key is read anew for each request, so there is nothing to drop.
    invalidate() {},
  };
}

type ProvingAccount = Pick<MarketplaceAccount, 'auth' | 'xApiKey' | 'settings'>;

/**
 * Sends both schemes on the calls that the account's settings list. The contract does not say which calls accept the
 * second one.
 */
function withXApiKey(inner: Authenticator, { auth, xApiKey, settings }: ProvingAccount): Authenticator {
  const calls = settings.xApiKeyCalls;
  if (calls === 'none') return inner;
  const key = xApiKey ?? ('key' in auth ? auth.key : null);
  return {
    async credential(request, signal) {
      const proof = await inner.credential(request, signal);
      if (calls !== 'all' && !calls.includes(request.operation)) return proof;
      if (key === null) throw new CredentialsError(request, 'the account has no key for x-api-key');
      const secret = await readKey(key, 'key for x-api-key', request);
      return {
        ...proof,
        headers: { ...proof.headers, 'x-api-key': secret },
        secrets: [...proof.secrets, secret],
        askedBy: fingerprintOf(proof.askedBy, secret),
      };
    },
    invalidate: (proof) => inner.invalidate(proof),
  };
}

/** Contract: Authentication. `Bearer` is case-sensitive and followed by one space. */
export function createAuthenticator(account: ProvingAccount, http: Http, now: () => number): Authenticator {
  const { auth, settings } = account;
  switch (auth.kind) {
    case 'apiKey':
      return withXApiKey(createKeyAuthenticator(auth.key, 'bearer'), account);
    case 'xApiKey':
      return createKeyAuthenticator(auth.key, 'x-api-key');
    default:
      return withXApiKey(
        createTokenAuthenticator({ auth, http, now, refresh: settings.tokenRefresh }),
        account,
      );
  }
}

function toCredential(token: Token, renewable: boolean): Credential {
  return {
    headers: { authorization: `Bearer ${token.accessToken}` },
    secrets: [token.accessToken],
    renewable,
    askedBy: token.askedBy,
  };
}

interface TokenSource {
  readonly auth: Grant;
  readonly http: Http;
  readonly now: () => number;
  readonly refresh: MarketplaceSettings['tokenRefresh'];
}

/** A token with the refresh token that renews it. */
type Refreshed = Pick<Token, 'askedBy'> & { readonly refreshToken: string };

function createTokenAuthenticator(source: TokenSource): Authenticator {
  const { now } = source;
  let token: Token | null = null;
  /** The one running request for a token; every caller that needs a token waits for it. */
  let flight: Promise<Token> | null = null;

  async function obtain(): Promise<Token> {
    const current = token;
    if (current === null || current.refreshToken === null || source.refresh === 'never')
      return await requestToken(source, null);
    try {
      return await requestToken(source, { ...current, refreshToken: current.refreshToken });
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      // After a final refusal it uses a fresh grant. Otherwise the old token still works until it expires.
      if (error.outcome === 'accountTrouble') return await requestToken(source, null);
      if (token === current && current.expiresAtMs !== null && now() < current.expiresAtMs) return current;
      throw error;
    }
  }

  function renew(): Promise<Token> {
    flight ??= obtain()
      .then((fresh) => (token = fresh))
      .finally(() => (flight = null));
    return flight;
  }

  return {
    async credential(request, signal) {
      if (token !== null && (token.renewAtMs === null || now() < token.renewAtMs))
        return toCredential(token, true);
      const before = token;
      const fresh = await rejectOnAbort(renew(), request, signal);
      return toCredential(fresh, fresh === before);
    },
    invalidate(credential) {
      // Drops only the refused token: a late 401 must not drop the token that replaced it.
      if (token !== null && credential.secrets.includes(token.accessToken)) token = null;
    },
  };
}

/** `POST /oauth/token`, or `/oauth/token_authenticated` for the password grant; form-encoded. */
async function requestToken(source: TokenSource, refreshed: Refreshed | null): Promise<Token> {
  const { auth, http, now } = source;
  const isPlain =
    auth.kind === 'clientCredentials' || (refreshed !== null && source.refresh === 'tokenEndpoint');
  const path = isPlain ? '/oauth/token' : '/oauth/token_authenticated';
  const request: RequestName & { method: 'POST' } = { operation: 'grantToken', method: 'POST', path };
  const form = new URLSearchParams({
    client_id: await readSecret(auth.clientId, 'client id', request),
    client_secret: await readSecret(auth.clientSecret, 'client secret', request),
  });
  if (refreshed !== null) {
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', refreshed.refreshToken);
  } else if (auth.kind === 'passwordGrant') {
    form.set('grant_type', 'password');
    form.set('username', await readSecret(auth.username, 'user name', request));
    form.set('password', await readSecret(auth.password, 'password', request));
  } else {
    form.set('grant_type', 'client_credentials');
  }
  const askedAtMs = now();
  const answer = await http.send({
    ...request,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  });
  if (answer.status < 200 || answer.status >= 300) {
    const secrets = [...form].filter(([name]) => name !== 'grant_type').map(([, value]) => value);
    throw apiError(request, answer, { sent: sentSecrets(secrets), renewable: false });
  }
  const wire = new ApiResponse(request, answer).json(tokenSchema);
  const lifeMs = wire.expires_in == null || wire.expires_in <= 0 ? null : wire.expires_in * 1_000;
  return {
    accessToken: wire.access_token,
    refreshToken: wire.refresh_token == null || wire.refresh_token === '' ? null : wire.refresh_token,
    expiresAtMs: lifeMs === null ? null : askedAtMs + lifeMs,
    renewAtMs:
      lifeMs === null ? null : askedAtMs + lifeMs - Math.min(MAX_RENEW_AHEAD_MS, lifeMs * RENEW_AHEAD_SHARE),
    askedBy: refreshed?.askedBy ?? fingerprintOf(form.get('client_id') ?? '', form.get('username') ?? ''),
  };
}
