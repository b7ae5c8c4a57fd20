import { UserError } from '../user-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a request goes instead of to its host; empty texts for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Thrown when a variable names no proxy. Says which one, and not what is in it: that may hold a password. */
export class ProxySettingsError extends UserError {
  override readonly name = 'ProxySettingsError';
}

/** Lower case goes first, as with other programs. An empty one counts as not set: that is how a compose file passes none. */
function settingOf(env: Environment, name: string): { readonly name: string; readonly value: string } {
  const names = [name.toLowerCase(), name];
  const found = names.find((one) => (env[one] ?? '').trim() !== '') ?? name;
  return { name: found, value: (env[found] ?? '').trim() };
}

/** Null for a text that names no proxy. `proxy.example:3128` means what it means to curl. */
function proxyUrl(value: string): string | null {
  const url = value.includes('://') ? value : `http://${value}`;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null;
}

/**
 * The usual variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case.
 * @throws ProxySettingsError
 */
export function proxySettings(env: Environment): ProxySettings {
  const urlOf = (variable: string): string => {
    const { name, value } = settingOf(env, variable);
    const url = value === '' ? '' : proxyUrl(value);
    if (url === null) throw new ProxySettingsError(`${name}: give the URL of a proxy, http or https`);
    return url;
  };
  const { value: noProxy } = settingOf(env, 'NO_PROXY');
  return {
    httpProxy: urlOf('HTTP_PROXY'),
    httpsProxy: urlOf('HTTPS_PROXY'),
    // undici takes an asterisk for everything only where it stands alone.
    noProxy: noProxy.split(/[\s,]+/).includes('*') ? '*' : noProxy,
  };
}
