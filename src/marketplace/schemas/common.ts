import { z } from 'zod';

/** `1234.56`, or with groups of three `1,234.56` or `1.234,56`. `1,234` is ambiguous, and refused. */
const PLAIN = /^-?\d+(\.\d+)?$/;
const GROUPED_BY_COMMA = /^-?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;
const GROUPED_BY_DOT = /^-?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;

function parseNumber(text: string): number | null {
  if (PLAIN.test(text)) return Number(text);
  if (GROUPED_BY_COMMA.test(text)) return Number(text.replaceAll(',', ''));
  return GROUPED_BY_DOT.test(text) ? Number(text.replaceAll('.', '').replace(',', '.')) : null;
}

/** A number, also as a string; a value too large for a number is refused. */
export const numberSchema = z.union([
  z.number(),
  z
    .string()
    .trim()
    .transform((text, context) => {
      const number = parseNumber(text);
      if (number !== null) return number;
      context.addIssue({ code: 'custom', message: 'must be a number' });
      return z.NEVER;
    })
    .pipe(z.number()),
]);

/** A required id. The service also sends numbers where the contract says string, and the reverse. */
export const idSchema = z.union([z.string().trim().min(1), z.int().transform(String)]);

/** A URL that people and programs will open. */
export const webAddressSchema = z.url({ protocol: /^https?$/, error: 'must be a web address' });

/** A text, also as a number, such as an id; empty counts as absent. */
export const textSchema = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((text) => (text == null || text.trim() === '' ? null : text));

/** An optional id or number of a document. */
export const optionalIdSchema = z
  .union([z.literal('').transform(() => null), idSchema])
  .nullish()
  .transform((id) => id ?? null);

export const optionalNumberSchema = z
  .union([numberSchema, z.literal('').transform(() => null)])
  .nullish()
  .transform((number) => number ?? null);

/**
 * A number that only describes, such as a rating or a coordinate. Outside its range it counts as absent, which is no
 * reason to refuse the rest of the answer.
 */
export function numberWithin(minimum: number, maximum: number) {
  return optionalNumberSchema.transform((number) =>
    number === null || number < minimum || number > maximum ? null : number,
  );
}

/** The same for counts. */
export function integerWithin(minimum: number, maximum: number) {
  return numberWithin(minimum, maximum).transform((number) =>
    number === null || !Number.isInteger(number) ? null : number,
  );
}

/** For information only: in another form it counts as absent, and does not fail the reading. */
export function orNothing<T extends z.ZodType>(schema: T) {
  return z
    .union([schema, z.unknown().transform(() => null)])
    .optional()
    .transform((value) => value ?? null);
}

/** An object with undocumented fields, kept unchanged. */
export const detailsSchema = orNothing(z.record(z.string(), z.unknown()));

export const flagSchema = z
  .boolean()
  .nullish()
  .transform((flag) => flag ?? null);

/** A translatable enum `{value, label, shortLabel}`, or the bare value. Labels are localised and never read. */
export const enumValueSchema = z
  .union([z.looseObject({ value: textSchema }).transform(({ value }) => value), textSchema])
  .nullish()
  .transform((value) => value ?? null);

/** Fields that may name an enum's value, the most reliable first. */
const WORD_FIELDS = ['value', 'name', 'id', 'code', 'label', 'shortLabel', 'translation'];
const MAX_WRAPPINGS = 2;

function wordsOf(value: unknown, wrappings = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || wrappings > MAX_WRAPPINGS) return [];
  const fields: readonly unknown[] = Array.isArray(value)
    ? value
    : WORD_FIELDS.map(
        (name) => Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
      );
  return fields.flatMap((inner) => wordsOf(inner, wrappings + 1));
}

/**
 * Every word of a status, in any form: bare, `{value, label}`, `{id, name, translation}`. The contract does not say
 * which word counts, and a missed one could cost a booking. Never fails.
 */
export const statusWordsSchema = z
  .unknown()
  .optional()
  .transform((value) => wordsOf(value));

export interface Amount {
  readonly amount: number;
  /** Null when the answer does not say. */
  readonly currency: string | null;
}

/** Above this, hundredths are no longer exact; no price of a shipment comes near. */
const MAX_AMOUNT = 1e12;

export const priceNumberSchema = numberSchema.refine(
  (amount) => Math.abs(amount) <= MAX_AMOUNT,
  'must be an amount of money',
);

const optionalPriceNumberSchema = z
  .union([priceNumberSchema, z.literal('').transform(() => null)])
  .nullish()
  .transform((amount) => amount ?? null);

const currencySchema = enumValueSchema
  .transform((code) => code?.toUpperCase() ?? null)
  .refine((code) => code === null || /^[A-Z]{3}$/.test(code), 'must be a currency code of three letters');

/** Money of an answer: `{value, label, currencyType?}`, `{amount, currencyType}` or a bare number. */
export const amountSchema = z.union([
  priceNumberSchema.transform((amount): Amount => ({ amount, currency: null })),
  z
    .looseObject({
      value: optionalPriceNumberSchema,
      amount: optionalPriceNumberSchema,
      currencyType: currencySchema,
    })
    .transform((money): Amount | null => {
      const amount = money.amount ?? money.value;
      return amount === null ? null : { amount, currency: money.currencyType };
    }),
]);

export const optionalAmountSchema = amountSchema.nullish().transform((amount) => amount ?? null);

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
/** The service's platform writes year 1 for "never". */
const FIRST_YEAR = 1900;

/**
 * An instant in UTC from ISO 8601, with or without fractions (up to 7 digits occur) and zone (default UTC).
 * @returns null for another text, and for "never"
 */
export function parseTimestamp(text: string): string | null {
  const match = TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, date = '', time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = match;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(.\d{2}):?/, '$1:');
  const instant = new Date(`${date}T${time}:${seconds}.${millis}${offset}`);
  // Otherwise the 30th of February would become the 2nd of March.
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return null;
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

export const timestampSchema = z.string().transform((text, context) => {
  const instant = parseTimestamp(text);
  if (instant !== null) return instant;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 timestamp' });
  return z.NEVER;
});

export const optionalTimestampSchema = z
  .union([z.literal('').transform(() => null), timestampSchema])
  .nullish()
  .transform((instant) => (instant == null || Number(instant.slice(0, 4)) < FIRST_YEAR ? null : instant));

/** Money of a request (contract: General conventions). */
export const requestMoneySchema = z.strictObject({
  amount: z.number().nonnegative(),
  currencyType: z.string().min(1),
});

/** Contract: insurance of the fixed price; the listing has the same shape. */
export const requestInsuranceSchema = z.strictObject({
  coverageAmount: requestMoneySchema.extend({ commodity: z.string().optional() }),
});
