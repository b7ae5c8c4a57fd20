import { UserError } from '../user-error';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies for requests; empty texts for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Thrown when a variable is not a proxy's URL. It names the variable, not its value, which may hold a password. */
export class ProxySettingsError extends UserError {
  override readonly name = 'ProxySettingsError';
  override readonly kind = 'invalidSettings';
}

/** Lower case takes precedence, as in other programs. An empty variable counts as not set, as compose files pass it. */
function settingOf(env: Environment, name: string): { readonly name: string; readonly value: string } {
  const names = [name.toLowerCase(), name];
  const found = names.find((one) => (env[one] ?? '').trim() !== '') ?? name;
  return { name: found, value: (env[found] ?? '').trim() };
}

/** Null for a text that is not a proxy's URL. `proxy.example:3128` is read as curl reads it. */
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
    // undici treats an asterisk as "everything" only when it is alone.
    noProxy: noProxy.split(/[\s,]+/).includes('*') ? '*' : noProxy,
  };
}
