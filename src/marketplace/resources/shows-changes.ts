import type { ListingUpdateWire } from '../schemas/listing-update';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Records spell a request's `Title` as `title`. */
function fieldOf(shown: JsonObject, name: string): unknown {
  const key = Object.keys(shown).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : shown[key];
}

/** Days are sent as `2035/03/06` and returned as instants. */
const asDay = (text: string): string | null =>
  /^\d{4}[/-]\d{2}[/-]\d{2}/.exec(text)?.[0].replaceAll('/', '-') ?? null;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function showsScalar(shown: unknown, sent: unknown): boolean {
  const value = isObject(shown) ? shown['value'] : shown;
  if (typeof sent === 'number') return value !== null && value !== '' && Number(value) === sent;
  if (typeof sent !== 'string') return value === sent;
  const text = textOf(value);
  return text === sent || (asDay(sent) !== null && asDay(text) === asDay(sent));
}

/** Money has `amount` in a request and `value` in a record, where the currency may be missing. */
function showsMoney(shown: unknown, { amount, currencyType }: JsonObject): boolean {
  if (!isObject(shown)) return showsScalar(shown, amount);
  const currency = shown['currencyType'];
  return (
    showsScalar(shown['amount'] ?? shown['value'], amount) &&
    (currency === undefined || currency === null || showsScalar(currency, currencyType))
  );
}

function shows(shown: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return (
      Array.isArray(shown) &&
      shown.length === sent.length &&
      sent.every((entry, at) => shows(shown[at], entry))
    );
  }
  if (!isObject(sent)) return showsScalar(shown, sent);
  if ('amount' in sent) return showsMoney(shown, sent);
  if ('value' in sent) return showsScalar(shown, sent['value']);
  return (
    isObject(shown) &&
    Object.entries(sent).every(([name, value]) => value === undefined || shows(fieldOf(shown, name), value))
  );
}

type Reference = NonNullable<ListingUpdateWire['referenceNumbers']>[number];

/** The marketplace joins label and number, does not keep the order, and may add references. */
function showsReferences(shown: unknown, sent: readonly Reference[]): boolean {
  const records: readonly unknown[] = Array.isArray(shown) ? shown : [];
  return sent.every(({ number, type, referenceNumberLabel: label }) =>
    records.some(
      (record) =>
        isObject(record) &&
        showsScalar(record['type'], type) &&
        [number, `${label} - ${number}`].some((text) => showsScalar(record['number'], text)),
    ),
  );
}

/**
 * Whether a listing's record already shows a change. Ignores labels. An unrecognised value counts as different: then
 * a person checks, while a wrong "already changed" would silently lose the change.
 */
export function showsChanges(record: JsonObject, sent: ListingUpdateWire): boolean {
  const { checksum: _checksum, referenceNumbers, ...others } = sent;
  return (
    (referenceNumbers === undefined || showsReferences(record['referenceNumbers'], referenceNumbers)) &&
    shows(record, others)
  );
}
