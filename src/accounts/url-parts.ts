/** Names of this machine, and of the sandbox beside it in a compose file. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '[::1]', 'sandbox']);

/** The name of a URL's host, however the URL is written: in lower case, without port and final dot. */
export const hostNameOf = (url: string): string =>
  url === '' ? '' : new URL(url).hostname.replace(/\.+$/, '');

/** Whether everybody on the way can read what is sent there. */
export const isPlainHttp = (url: string): boolean => url !== '' && new URL(url).protocol === 'http:';

/** Whether a marketplace is the simulated one on this machine, or beside it in a compose file. */
export function isOnThisMachine(url: string): boolean {
  const name = hostNameOf(url);
  return THIS_MACHINE.has(name) || /^127(\.\d+){3}$/.test(name);
}

/** Whether two URLs lead to one place. On this machine ports tell servers apart; elsewhere a port is only another door. */
export function isSameHost(left: string, right: string): boolean {
  const name = hostNameOf(left);
  if (name === '' || name !== hostNameOf(right)) return false;
  return !isOnThisMachine(left) || new URL(left).port === new URL(right).port;
}
