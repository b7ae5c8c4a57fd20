import type { MarketplaceAccount } from '../marketplace/account';
import type { SecretEntry } from './secrets';
import { hostNameOf, isOnThisMachine, isPlainHttp, isSameHost } from './url-parts';

type EnvironmentName = MarketplaceAccount['environment'];

/**
 * Words that say which environment a host or a variable belongs to. The marketplace's real hosts are unknown here: only a
 * word that contradicts the account stops the start, and a host without such a word proves nothing.
 */
const WORDS: Readonly<Record<EnvironmentName, readonly string[]>> = {
  sandbox: ['sandbox', 'test', 'testing', 'staging', 'stage', 'qa', 'uat', 'dev', 'demo'],
  production: ['production', 'prod', 'live'],
};

const OTHER: Readonly<Record<EnvironmentName, EnvironmentName>> = {
  sandbox: 'production',
  production: 'sandbox',
};

/** They count anywhere in a part, because no other word contains them (`contest` and `olive` contain `test` and `live`). */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['sandbox', 'staging']);

/** What such a word may be written together with: `apitest`, `prodapi`, `qa2`, `livekey`. */
const ATTACHED = /^(?:api|app|web|www)|(?:api|app|web|www|key)?\d*$/g;

/** The first word of an environment in the parts of a name. */
function wordIn(parts: readonly string[], environment: EnvironmentName): string | undefined {
  return WORDS[environment].find((word) =>
    parts.some(
      (part) =>
        part === word ||
        part.replaceAll(ATTACHED, '') === word ||
        (UNMISTAKABLE.has(word) && part.includes(word)),
    ),
  );
}

/** The word of the other environment in a name that has no word of its account's environment; null when there is none. */
function contradiction(name: string, environment: EnvironmentName): string | null {
  const parts = name.toLowerCase().split(/[^a-z0-9]+/);
  return wordIn(parts, environment) === undefined ? (wordIn(parts, OTHER[environment]) ?? null) : null;
}

interface UsedUrl {
  /** JSON path in the accounts file. */
  readonly at: string;
  readonly url: string;
  /** The credential that requests to it carry; null when there are no requests. */
  readonly carries: 'key' | 'password' | null;
}

function urlsOf({ name, baseUrl, webUrl, web }: MarketplaceAccount): UsedUrl[] {
  const at = `$.accounts.${name}`;
  const api: UsedUrl = { at: `${at}.baseUrl`, url: baseUrl, carries: 'key' };
  if (webUrl === baseUrl) return [api];
  return [api, { at: `${at}.webUrl`, url: webUrl, carries: web === undefined ? null : 'password' }];
}

const isUnencrypted = ({ url, carries }: UsedUrl): boolean =>
  carries !== null && isPlainHttp(url) && !isOnThisMachine(url);

/** Keys of one environment do not work in the other (contract, Authentication): one host cannot be both. */
export function hostProblems(accounts: readonly MarketplaceAccount[]): string[] {
  return accounts.flatMap((account) => {
    const { environment } = account;
    return urlsOf(account).flatMap((used) => {
      const { at, url, carries } = used;
      const host = hostNameOf(url);
      const problems: string[] = [];
      const word = contradiction(host, environment);
      if (word !== null) {
        problems.push(
          `${at}: ${host} contains "${word}", but the account is ${environment}; correct the URL or the environment`,
        );
      }
      // Reported once, at the production account.
      if (environment !== 'production') return problems;
      const twin = accounts.find(
        (other) =>
          other.environment === 'sandbox' &&
          (isSameHost(url, other.baseUrl) || isSameHost(url, other.webUrl)),
      );
      if (twin !== undefined) {
        problems.push(
          `${at}: ${host} is also the host of sandbox account ${twin.name}; correct the URL of one of them`,
        );
      }
      if (isUnencrypted(used)) problems.push(`${at}: the ${carries} would travel unencrypted; use https`);
      return problems;
    });
  });
}

/** A sandbox books nothing, so its key may travel unencrypted. The owner of the key should know about it. */
export function unencryptedWarnings(account: MarketplaceAccount): string[] {
  if (account.environment !== 'sandbox') return [];
  return urlsOf(account)
    .filter(isUnencrypted)
    .map(({ at, carries }) => `${at}: the ${carries} travels unencrypted; use https`);
}

/** User names and client ids may be the same in both environments, so their name proves nothing. */
const MAY_BE_SHARED: ReadonlySet<string> = new Set(['clientId', 'username']);

/** Folders serve many purposes (`/home/demo/…`): only the name of the file itself is as clear as that of a variable. */
const ownName = (reference: SecretEntry['reference']): string =>
  'env' in reference ? reference.env : (reference.file.split('/').at(-1) ?? '');

interface Misnamed {
  readonly owner: string;
  /** A key of the other environment does not work, or makes real bookings in a test. */
  readonly stopsStart: boolean;
  readonly text: string;
}

function misnamed({ at, owner, field, reference, environment }: SecretEntry): Misnamed[] {
  if (environment === null) return [];
  const name = 'env' in reference ? reference.env : reference.file;
  const word = contradiction(name, environment);
  if (word === null) return [];
  const stopsStart = !MAY_BE_SHARED.has(field) && contradiction(ownName(reference), environment) !== null;
  const remedy = stopsStart
    ? `use a secret of ${environment}, or rename it`
    : 'check that it contains the right secret';
  return [
    {
      owner,
      stopsStart,
      text: `${at}: ${name} contains "${word}", but the account is ${environment}; ${remedy}`,
    },
  ];
}

/** Keys and passwords whose variable or file is named after the other environment. */
export const misnamedSecretProblems = (entries: readonly SecretEntry[]): string[] =>
  entries.flatMap(misnamed).flatMap(({ stopsStart, text }) => (stopsStart ? [text] : []));

/** The other such names of one account. They may be intended, because these names are free. */
export const misnamedSecretWarnings = (entries: readonly SecretEntry[], account: string): string[] =>
  entries
    .flatMap(misnamed)
    .flatMap(({ owner, stopsStart, text }) => (owner === account && !stopsStart ? [text] : []));
