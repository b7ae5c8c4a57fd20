import { InvalidRequestError, type RequestName } from './errors';

/**
 * Fills the `{names}` of a path. An id becomes one path part: encoded, and never empty or `..`.
 * @throws InvalidRequestError
 */
export function fillPath(request: RequestName, params: Readonly<Record<string, string>> = {}): string {
  return request.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      throw new InvalidRequestError(request, [`${name} must not be empty`]);
    }
    return encodeURIComponent(value);
  });
}
