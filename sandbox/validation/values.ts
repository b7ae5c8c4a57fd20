import { z } from 'zod';
import type { Money, ReferenceNumber } from '../model/state';
import { referenceTypes, type ReferenceType } from '../model/codes';
import { isObject } from '../model/json';
import { aboveZero, oneOf, type Fields } from './fields';

const currencyCode = z.string().regex(/^[A-Z]{3}$/u, 'must be a currency code of three capital letters');

/** Money as the contract has it in requests: `amount` (number) and `currencyType` (string). */
export function readMoney(fields: Fields): Money | undefined {
  const amount = fields.number('amount', { required: true, schema: aboveZero });
  const currencyType = fields.text('currencyType', { required: true, schema: currencyCode });
  return amount === undefined || currencyType === undefined ? undefined : { amount, currencyType };
}

type CoverageName = 'coverageAmount' | 'coverage';

/**
 * The protection declared in a fixed price request or a listing. The contract shows `coverageAmount {amount,
 * currencyType, commodity}` for the former only; a listing's name is the switch `listingInsurance`.
 */
export function readInsurance(
  parent: Fields,
  names: readonly [CoverageName, ...CoverageName[]] = ['coverageAmount'],
): Money | undefined {
  const insurance = parent.object('insurance');
  const name = names.find((candidate) => insurance?.value[candidate] != null) ?? names[0];
  const amount = insurance?.object(name, true);
  amount?.text('commodity');
  return amount && readMoney(amount);
}

/** A name, its number (10 is PriceCorrelationId), or the trio that a record gives back. */
function referenceTypeOf(value: unknown): ReferenceType | undefined {
  if (typeof value === 'number') return referenceTypes[value - 1];
  const name = isObject(value) ? value['value'] : value;
  return referenceTypes.find((type) => type === name);
}

export function readReferenceNumbers(
  parent: Fields,
  { types, correlation = 'either' }: { types: 'any' | 'names'; correlation?: 'either' | 'number' | 'name' },
): readonly ReferenceNumber[] | undefined {
  return parent.objects('referenceNumbers')?.flatMap((fields) => {
    const number = fields.text('number', { required: true });
    const given = fields.raw('type');
    const referenceNumberLabel = fields.text('referenceNumberLabel');
    const type = types === 'any' || typeof given === 'string' ? referenceTypeOf(given) : undefined;
    if (type === undefined)
      fields.refuse('type', given === undefined ? 'is required' : 'is not a reference type');
    if (type === 'PriceCorrelationId' && correlation !== 'either')
      if ((correlation === 'number') !== (typeof given === 'number'))
        fields.refuse('type', `must be the ${correlation} of the type`);
    if (number === undefined || type === undefined) return [];
    checkLength(fields, { number, type, referenceNumberLabel });
    return [{ number, type, referenceNumberLabel }];
  });
}

/** Contract: for type Other the text `{label} - {number}` has at most 60 characters. */
function checkLength(fields: Fields, { number, type, referenceNumberLabel: label }: ReferenceNumber): void {
  const text = type === 'Other' && label !== undefined ? `${label} - ${number}` : number;
  if (text.length > 60)
    fields.refuse('number', `must have at most 60 characters with its label, has ${text.length}`);
}

/**
 * Accessorials are an object of booleans or a list of names: of a stop the contract has the former and a sample the latter,
 * of a rate request it has both. A switch takes either form or one.
 */
export function readAccessorials(
  fields: Fields,
  form: 'either' | 'list' | 'object',
  names: ReadonlySet<string>,
  readFlags: (object: Fields) => readonly string[],
): readonly string[] {
  const value = fields.raw('accessorials');
  if (value === undefined) return [];
  if (form !== 'either' && Array.isArray(value) !== (form === 'list')) {
    const wanted = form === 'list' ? 'an array of names' : 'an object of booleans';
    fields.refuse('accessorials', `must be ${wanted}`);
    return [];
  }
  if (Array.isArray(value)) return fields.texts('accessorials', oneOf(names)) ?? [];
  return fields.within('accessorials', readFlags) ?? [];
}

/** Midnight UTC of a `YYYY/MM/DD` day that exists in the calendar. */
export function dayOf(text: string): number | undefined {
  const iso = /^\d{4}(?:\/\d{2}){2}$/u.test(text) ? text.replaceAll('/', '-') : '';
  return z.iso.date().safeParse(iso).success ? Date.parse(iso) : undefined;
}

export const todayUtc = (): number => Math.floor(Date.now() / 86_400_000) * 86_400_000;
