/** Names of this machine, and of the sandbox beside it in a compose file. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '[::1]', 'sandbox']);

/** The host name of a URL in lower case, without port and final dot. */
export const hostNameOf = (url: string): string =>
  url === '' ? '' : new URL(url).hostname.replace(/\.+$/, '');

/** Whether requests to it are unencrypted. */
export const isPlainHttp = (url: string): boolean => url !== '' && new URL(url).protocol === 'http:';

/** Whether a marketplace is the simulated one on this machine, or beside it in a compose file. */
export function isOnThisMachine(url: string): boolean {
  const name = hostNameOf(url);
  return THIS_MACHINE.has(name) || /^127(\.\d+){3}$/.test(name);
}

/** Whether two URLs lead to one host. On this machine ports distinguish servers; elsewhere they do not. */
export function isSameHost(left: string, right: string): boolean {
  const name = hostNameOf(left);
  if (name === '' || name !== hostNameOf(right)) return false;
  return !isOnThisMachine(left) || new URL(left).port === new URL(right).port;
}
