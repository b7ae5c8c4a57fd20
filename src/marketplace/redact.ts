import type { ErrorReading } from './error-body';

/** Fields of a request whose content must not come back in the text of an error. */
const PRIVATE_FIELDS = new Set([
  'contact',
  'streetAddress',
  'alternateStreetAddress',
  'confidentialDescription',
]);
/** Shorter texts would blank out half of a message and say nothing about anybody. */
const SHORTEST = 3;

/** All texts of a request body that belong to people: contacts, streets, notes for the driver. */
export function privateTexts(value: unknown, isPrivate = false): string[] {
  if (typeof value === 'string') return isPrivate && value.length >= SHORTEST ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    privateTexts(inner, isPrivate || PRIVATE_FIELDS.has(key)),
  );
}

/** The service may echo what it was sent, so that its words are cleaned before they are shown. */
function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .reduce((cleaned, secret) => cleaned.split(secret).join('[removed]'), text)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [removed]')
    .replace(/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.\w+/g, '[e-mail]')
    .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[token]')
    .replace(/(?<![\w.-])\+?\(?\d{1,4}\)?[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?!\w)/g, '[phone]');
}

export function redactReading(reading: ErrorReading, secrets: readonly string[]): ErrorReading {
  const longestFirst = [...secrets].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const clean = (text: string | null): string | null => (text === null ? null : redact(text, longestFirst));
  return {
    reason: clean(reading.reason),
    codes: reading.codes,
    fields: reading.fields.map(({ field, code, reason }) => ({
      field: clean(field),
      code,
      reason: clean(reason),
    })),
  };
}
