import { assertNever } from '../domain/assert-never';
import type { MarketplaceSettings } from './settings';

type Nesting = MarketplaceSettings['formNesting'];

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function nestedName(parent: string, name: string, nesting: Exclude<Nesting, 'json'>): string {
  if (parent === '') return name;
  return nesting === 'dots' ? `${parent}.${name}` : `${parent}[${name}]`;
}

function fieldsOf(value: unknown, name: string, nesting: Exclude<Nesting, 'json'>): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) => fieldsOf(inner, `${name}[${index}]`, nesting));
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) =>
      fieldsOf(inner, nestedName(name, key, nesting), nesting),
    );
  }
  return [[name, asText(value)]];
}

/**
 * A body as `application/x-www-form-urlencoded`. How to nest fields is a setting, because the contract does not say it.
 */
export function toForm(body: object, nesting: Nesting): string {
  switch (nesting) {
    case 'dots':
    case 'brackets':
      return new URLSearchParams(fieldsOf(body, '', nesting)).toString();
    case 'json': {
      const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
      return new URLSearchParams(
        given.map(([name, value]): [string, string] => [name, asText(value)]),
      ).toString();
    }
    default:
      return assertNever(nesting);
  }
}
