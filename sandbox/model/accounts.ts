import type { IncomingHttpHeaders } from 'node:http';
import { ApiProblem, oauthProblem } from './errors';
import type { Operation } from './operations';
import type { SeededRandom } from './random';
import type { SandboxSwitches } from './switches';

/** A shipper of the marketplace, with everything it can sign in with. */
export interface SandboxAccount {
  readonly name: string;
  readonly userId: number;
  readonly currency: 'USD' | 'CAD';
  readonly apiKeys: readonly string[];
  readonly clients: readonly { readonly clientId: string; readonly clientSecret: string }[];
  readonly users: readonly { readonly userName: string; readonly password: string }[];
}

export const defaultAccount: SandboxAccount = {
  name: 'sandbox',
  userId: 810_001,
  currency: 'USD',
  apiKeys: ['sandbox-key'],
  clients: [{ clientId: 'sandbox-client', clientSecret: 'sandbox-secret' }],
  users: [{ userName: 'shipper@example.com', password: 'sandbox-password' }],
};

interface Grant {
  readonly account: SandboxAccount;
  readonly expiresAt: number;
  readonly isOfUser: boolean;
}

/** Keys, tokens and cookies: who is asking (contract, "Authentication"). */
export class Accounts {
  readonly #keys = new Map<string, SandboxAccount>();
  readonly #tokens = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, Pick<Grant, 'account' | 'isOfUser'>>();
  readonly #tickets = new Map<string, SandboxAccount>();

  constructor(
    readonly list: readonly SandboxAccount[],
    private readonly switches: Readonly<SandboxSwitches>,
    private readonly random: SeededRandom,
  ) {
    this.restoreKeys();
  }

  restoreKeys(): void {
    this.#keys.clear();
    for (const account of this.list) for (const key of account.apiKeys) this.#keys.set(key, account);
  }

  /** Making a new key kills the old ones of that account at once. */
  rotateKey(account: SandboxAccount, key: string): void {
    for (const [known, owner] of this.#keys) if (owner === account) this.#keys.delete(known);
    this.#keys.set(key, account);
  }

  /** @returns the first account where no name is given */
  named(name: string | undefined): SandboxAccount {
    const account = this.list.find((one) => name === undefined || one.name === name);
    if (account === undefined) throw new ApiProblem(404, `There is no account ${name}.`);
    return account;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  /** Signs every user out: web sessions, access tokens got with a password, and the tokens that would renew them. */
  endSessions(): void {
    this.#tickets.clear();
    for (const grants of [this.#tokens, this.#refreshTokens])
      for (const [token, { isOfUser }] of grants) if (isOfUser) grants.delete(token);
  }

  ownerOf(headers: IncomingHttpHeaders, operation: Operation): SandboxAccount | undefined {
    // The scheme is case-sensitive here and takes one space, unlike in most of HTTP.
    const bearer = /^Bearer (\S+)$/u.exec(headers.authorization ?? '')?.[1];
    const { xApiKey: isTaken, xApiKeyEndpoints: endpoints } = this.switches;
    const isTakenHere = isTaken && (endpoints.includes('*') || endpoints.includes(operation));
    const xApiKey = isTakenHere ? headers['x-api-key'] : undefined;
    return this.#accountOf(bearer ?? (typeof xApiKey === 'string' ? xApiKey : ''));
  }

  authenticate(headers: IncomingHttpHeaders, operation: Operation): SandboxAccount {
    const account = this.ownerOf(headers, operation);
    if (account !== undefined) return account;
    throw new ApiProblem(401, 'Unauthorized: the API key or access token is missing or invalid.');
  }

  #accountOf(credential: string): SandboxAccount | undefined {
    const grant = this.#tokens.get(credential);
    if (grant !== undefined) return grant.expiresAt > Date.now() ? grant.account : undefined;
    return this.#keys.get(credential);
  }

  clientCredentials(clientId: string, clientSecret: string) {
    return this.#issue({ account: this.#accountOfClient(clientId, clientSecret), isOfUser: false });
  }

  password(userName: string, password: string, clientId: string, clientSecret: string) {
    this.#accountOfClient(clientId, clientSecret);
    const account = this.#accountOfUser(userName, password);
    if (account === undefined)
      throw oauthProblem(400, 'invalid_grant', 'The user name or password is wrong.');
    return this.#issue({ account, isOfUser: true });
  }

  /** Where a refresh token works is only likely to be where its grant was made: the switch moves it. */
  refresh(refreshToken: string, endpoint: 'createToken' | 'createUserToken') {
    const grant = this.#refreshTokens.get(refreshToken);
    const { refreshGrant, refreshEndpoint } = this.switches;
    const granting = grant?.isOfUser === true ? 'createUserToken' : 'createToken';
    const home = refreshEndpoint === 'same' ? granting : 'createToken';
    const isHere = refreshEndpoint === 'either' || endpoint === home;
    if (grant === undefined || refreshGrant === 'refused' || !isHere)
      throw oauthProblem(400, 'invalid_grant', 'The refresh token is unknown, used or expired.');
    this.#refreshTokens.delete(refreshToken);
    return this.#issue(grant);
  }

  signIn(userName: string, password: string): string {
    const account = this.#accountOfUser(userName, password);
    if (account === undefined) throw new ApiProblem(401, 'The user name or password is wrong.');
    const ticket = this.random.hex(40);
    this.#tickets.set(ticket, account);
    return ticket;
  }

  accountOfCookie(header: string | undefined): SandboxAccount {
    const { signInCookie } = this.switches;
    for (const cookie of (header ?? '').split(/; */u)) {
      const [name, value] = cookie.split('=');
      const account = name === signInCookie ? this.#tickets.get(value ?? '') : undefined;
      if (account !== undefined) return account;
    }
    throw new ApiProblem(401, `Sign in first: the cookie ${signInCookie} is missing or invalid.`);
  }

  #accountOfClient(clientId: string, clientSecret: string): SandboxAccount {
    const account = this.list.find(({ clients }) =>
      clients.some((client) => client.clientId === clientId && client.clientSecret === clientSecret),
    );
    if (account === undefined) throw oauthProblem(401, 'invalid_client', 'The client id or secret is wrong.');
    return account;
  }

  #accountOfUser(userName: string, password: string): SandboxAccount | undefined {
    return this.list.find(({ users }) =>
      users.some((user) => user.userName === userName && user.password === password),
    );
  }

  #issue({ account, isOfUser }: Pick<Grant, 'account' | 'isOfUser'>) {
    const lifetime = this.switches.tokenLifetimeInSeconds;
    const access = this.random.hex(64);
    const refresh = this.random.hex(64);
    this.#tokens.set(access, { account, isOfUser, expiresAt: Date.now() + lifetime * 1000 });
    this.#refreshTokens.set(refresh, { account, isOfUser });
    return { access_token: access, token_type: 'Bearer', expires_in: lifetime, refresh_token: refresh };
  }
}
