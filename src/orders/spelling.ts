import type { Fix } from './problem';

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A longer text is not a misspelled code, and comparing it would be slow. */
const MAX_LENGTH = 100;

function byDistance(wanted: string, codes: readonly string[]) {
  return codes
    .map((code) => ({ code, distance: editDistance(wanted, code.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
}

/** The code most similar to a text, for the remedy; null when none is similar. */
export function nearest(text: string, codes: readonly string[]): string | null {
  if (text.length > MAX_LENGTH) return null;
  const wanted = lettersOf(text);
  if (wanted === '') return null;
  // Half of a long code, or a short code written out: Pallet for Pallets48X40Inches, inches for in.
  const isBegun = (code: string): boolean =>
    (wanted.length >= 4 && code.toLowerCase().startsWith(wanted)) || wanted.startsWith(code.toLowerCase());
  const [begun, ...others] = codes.filter(isBegun);
  if (begun !== undefined && others.length === 0) return begun;
  const [best] = byDistance(wanted, codes);
  if (best === undefined) return null;
  // Two words without a common letter are not misspellings of each other, even when they are short.
  const limit = Math.min(Math.max(2, Math.floor(wanted.length / 3)), best.code.length - 1, wanted.length - 1);
  return best.distance <= limit ? best.code : null;
}

/** Units written out, and names that other systems and the marketplace's API use for the same thing. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ inch: 'in', inches: 'in', foot: 'ft', feet: 'ft', lbs: 'lb', pound: 'lb', pounds: 'lb' },
  ...{ ounce: 'oz', ounces: 'oz', gram: 'g', grams: 'g', kgs: 'kg', kilogram: 'kg', kilograms: 'kg' },
  ...{ meter: 'm', meters: 'm', metre: 'm', metres: 'm', centimeter: 'cm', centimeters: 'cm' },
  ...{ centimetre: 'cm', centimetres: 'cm', millimeter: 'mm', millimeters: 'mm' },
  ...{ millimetre: 'mm', millimetres: 'mm' },
  ...{ zip: 'postalCode', zipcode: 'postalCode', postcode: 'postalCode', majormunicipality: 'city' },
  ...{ stateprovince: 'state', province: 'state', countrycode: 'country', streetaddress: 'street' },
  ...{ alternatestreetaddress: 'unit', lat: 'latitude', lng: 'longitude', lon: 'longitude' },
  ...{ phonenumber: 'phone', telephone: 'phone', companyname: 'company', emailaddress: 'email' },
  ...{ unitcount: 'quantity', qty: 'quantity', dimensions: 'size', currencytype: 'currency' },
  ...{ confidentialdescription: 'driverNotes', referencenumbers: 'references', accessorials: 'services' },
  ...{ liftgaterequired: 'liftgate', appointmentrequired: 'appointment' },
};

/**
 * The code that was certainly meant: the same letters in any case and with any separators, a missing plural, a synonym,
 * or a slip in a long word that is similar to no other code. Null when it could be another code.
 */
export function certainly(text: string, codes: readonly string[]): string | null {
  const wanted = lettersOf(text);
  if (wanted === '' || text.length > MAX_LENGTH) return null;
  const same = codes.filter((code) => lettersOf(code) === wanted);
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  const other = wanted.length >= 4 ? codes.filter((code) => lettersOf(code) === `${wanted}s`) : [];
  if (other.length === 1) return other[0] ?? null;
  const synonym = Object.hasOwn(SYNONYMS, wanted) ? SYNONYMS[wanted] : undefined;
  if (synonym !== undefined && codes.includes(synonym)) return synonym;
  const [best, next] = byDistance(wanted, codes);
  if (best === undefined || wanted.length < 8 || best.distance > 2) return null;
  return next === undefined || next.distance > best.distance + 2 ? best.code : null;
}

interface Correction {
  readonly remedy: string;
  readonly fix?: Fix;
}

/** The remedy for an unknown code: the code that was meant, with a fix when that is certain. */
export function correctionOf(
  text: string,
  codes: readonly string[],
  place: { readonly path: string; readonly otherwise: string },
): Correction {
  const { path, otherwise } = place;
  const certain = certainly(text, codes);
  if (certain !== null) return { remedy: `write "${certain}"`, fix: { path, value: certain } };
  const guess = nearest(text, codes);
  return { remedy: guess === null ? otherwise : `did you mean ${guess}?` };
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of Array.from(left).entries()) {
    const next = [i + 1];
    for (const [j, b] of Array.from(right).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
