import type { MarketplaceAccount } from '../marketplace/account';
import { isOnThisMachine } from './references';
import type { SecretEntry } from './secrets';

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

/** The word in a name that speaks of the other environment, and none of the own; null when there is none. */
function contradiction(name: string, environment: EnvironmentName): string | null {
  const parts = name.toLowerCase().split(/[^a-z0-9]+/);
  if (parts.some((part) => WORDS[environment].includes(part))) return null;
  return parts.find((part) => WORDS[OTHER[environment]].includes(part)) ?? null;
}

const hostOf = (url: string): string => (url === '' ? '' : new URL(url).host);

/** Keys of one environment do not work in the other (contract, Authentication): one host cannot be both. */
export function hostProblems(accounts: readonly MarketplaceAccount[]): string[] {
  return accounts.flatMap(({ name, environment, baseUrl, webUrl, web }) => {
    const problems: string[] = [];
    for (const [field, url] of Object.entries({ baseUrl, ...(webUrl !== baseUrl && { webUrl }) })) {
      const at = `$.accounts.${name}.${field}`;
      const host = hostOf(url);
      const word = contradiction(host, environment);
      if (word !== null) {
        problems.push(
          `${at}: ${host} says ${word}, and the account is ${environment}; correct the URL or the environment`,
        );
      }
      const twin = accounts.find(
        (other) =>
          other.environment !== environment &&
          host !== '' &&
          [hostOf(other.baseUrl), hostOf(other.webUrl)].includes(host),
      );
      // Told once, at the production account.
      if (twin !== undefined && environment === 'production') {
        problems.push(
          `${at}: ${host} is the host of sandbox account ${twin.name} too; correct the URL of one of both`,
        );
      }
      const carried = field === 'baseUrl' ? 'key' : 'password';
      const isUsed = field === 'baseUrl' || web !== undefined;
      if (environment === 'production' && isUsed && url.startsWith('http:') && !isOnThisMachine(url)) {
        problems.push(`${at}: the ${carried} would travel unencrypted; use https`);
      }
    }
    return problems;
  });
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
