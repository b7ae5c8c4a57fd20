import type { MarketplaceAccount } from '../marketplace/account';
import type { SecretEntry } from './secrets';
import { hostNameOf, isOnThisMachine, isPlainHttp, isSameHost } from './url-parts';

type EnvironmentName = MarketplaceAccount['environment'];

/**
 * Words that say which environment a host or a variable belongs to. The marketplace's real hosts are not known
 * here, so that only a word that contradicts the account stops the start; a host without one proves nothing.
 */
const WORDS: Readonly<Record<EnvironmentName, readonly string[]>> = {
  sandbox: ['sandbox', 'test', 'testing', 'staging', 'stage', 'qa', 'uat', 'dev', 'demo'],
  production: ['production', 'prod', 'live'],
};

const OTHER: Readonly<Record<EnvironmentName, EnvironmentName>> = {
  sandbox: 'production',
  production: 'sandbox',
};

/** No other word contains these (`contest` and `olive` contain `test` and `live`), so that they count anywhere in a part. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['sandbox', 'staging']);

/** What is written together with such a word: `apitest`, `prodapi`, `qa2`, `livekey`. */
const ATTACHED = /^(?:api|app|web|www)|(?:api|app|web|www|key)?\d*$/g;

/** The first word of an environment that a part of a name says. */
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

/** The word in a name that speaks of the other environment, and none of the own; null when there is none. */
function contradiction(name: string, environment: EnvironmentName): string | null {
  const parts = name.toLowerCase().split(/[^a-z0-9]+/);
  return wordIn(parts, environment) === undefined ? (wordIn(parts, OTHER[environment]) ?? null) : null;
}

interface UsedUrl {
  /** JSON path in the accounts file. */
  readonly at: string;
  readonly url: string;
  /** What a request to it proves itself by; null where none is made. */
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
          `${at}: ${host} says ${word}, and the account is ${environment}; correct the URL or the environment`,
        );
      }
      // Told once, at the production account.
      if (environment !== 'production') return problems;
      const twin = accounts.find(
        (other) =>
          other.environment === 'sandbox' &&
          (isSameHost(url, other.baseUrl) || isSameHost(url, other.webUrl)),
      );
      if (twin !== undefined) {
        problems.push(
          `${at}: ${host} is the host of sandbox account ${twin.name} too; correct the URL of one of both`,
        );
      }
      if (isUnencrypted(used)) problems.push(`${at}: the ${carries} would travel unencrypted; use https`);
      return problems;
    });
  });
}

/** A sandbox books nothing, so that its key may go unencrypted; the owner of the key should know that it does. */
export function unencryptedWarnings(account: MarketplaceAccount): string[] {
  if (account.environment !== 'sandbox') return [];
  return urlsOf(account)
    .filter(isUnencrypted)
    .map(({ at, carries }) => `${at}: the ${carries} travels unencrypted; use https`);
}

/** User names and client ids may be the same in both environments, so that their name proves nothing. */
const MAY_BE_SHARED: ReadonlySet<string> = new Set(['clientId', 'username']);

/** Folders serve many things (`/home/demo/…`): only a file's own name is as clear as that of a variable. */
const ownName = (reference: SecretEntry['reference']): string =>
  'env' in reference ? reference.env : (reference.file.split('/').at(-1) ?? '');

interface Misnamed {
  readonly owner: string;
  /** A key of the other environment cannot work, or books for real where a test is meant. */
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
    ? `name a secret of ${environment}, or call it so`
    : 'check that it holds the right one';
  return [
    { owner, stopsStart, text: `${at}: ${name} says ${word}, and the account is ${environment}; ${remedy}` },
  ];
}

/** Keys and passwords whose variable or file is named after the other environment. */
export const misnamedSecretProblems = (entries: readonly SecretEntry[]): string[] =>
  entries.flatMap(misnamed).flatMap(({ stopsStart, text }) => (stopsStart ? [text] : []));

/** What else is named so, of one account: names are free there, so that it may be meant. */
export const misnamedSecretWarnings = (entries: readonly SecretEntry[], account: string): string[] =>
  entries
    .flatMap(misnamed)
    .flatMap(({ owner, stopsStart, text }) => (owner === account && !stopsStart ? [text] : []));
