import { nearest } from './nearest';

/** Fixed price quotes, and the protection, cover these two countries only (contract: Limits). */
export type Country = 'US' | 'CA';

const table = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s*\|\s*/)
      .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
  );

const REGIONS: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  US: table(`AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
    DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|
    KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|
    MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|
    NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|
    SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|
    WV West Virginia|WI Wisconsin|WY Wyoming`),
  CA: table(`AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|
    NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`),
};

/** The country that was written, or the one that was meant; null when neither. */
export function readCountry(text: string): {
  readonly country: Country | null;
  readonly meant: Country | null;
} {
  const clean = text.trim().toUpperCase();
  if (clean === 'US' || clean === 'CA') return { country: clean, meant: clean };
  if (/^(USA|U\.S\.(A\.)?|UNITED STATES.*|AMERICA)$/.test(clean)) return { country: null, meant: 'US' };
  return { country: null, meant: /^(CAN|CANADA)$/.test(clean) ? 'CA' : null };
}

/** Whether a text is the code of any country (ISO 3166, two letters). */
export function isCountryCode(text: string): boolean {
  const code = text.trim().toUpperCase();
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined;
}

/** The two letters of a state or province; null when the country has none of that name. */
export function readRegion(text: string, country: Country): string | null {
  const clean = text.trim().toUpperCase();
  return REGIONS[country].has(clean) ? clean : null;
}

/** The two letters of a state or province that is written out; null when it is none of the country. */
export function meantRegion(text: string, country: Country): string | null {
  const clean = text.trim().toLowerCase();
  const [code] = [...REGIONS[country]].find(([, name]) => name.toLowerCase() === clean) ?? [];
  return code ?? null;
}

/** By the first sign of a code, with the few places that have one of a neighbour: 005 in New York, 885 in Texas. */
const FIRST_SIGN: Readonly<Record<string, string>> = {
  '0': 'CT MA ME NH NJ RI VT PR NY',
  '1': 'DE NY PA',
  '2': 'DC MD NC SC VA WV',
  '3': 'AL FL GA MS TN',
  '4': 'IN KY MI OH',
  '5': 'IA MN MT ND SD WI DC',
  '6': 'IL KS MO NE',
  '7': 'AR LA OK TX',
  '8': 'AZ CO ID NM NV UT WY TX',
  '9': 'AK CA HI OR WA',
  ...{ A: 'NL', B: 'NS', C: 'PE', E: 'NB', G: 'QC', H: 'QC', J: 'QC', K: 'ON', L: 'ON', M: 'ON' },
  ...{ N: 'ON', P: 'ON', R: 'MB', S: 'SK', T: 'AB', V: 'BC', X: 'NT NU', Y: 'YT' },
};

/** The states or provinces where postal codes begin like this one. */
export function regionNamesOfPostalCode(code: string): readonly string[] {
  return FIRST_SIGN[code.charAt(0)]?.split(' ') ?? [];
}

/** What to write instead of a state or province that is none. */
export function regionRemedy(text: string, country: Country): string {
  const other: Country = country === 'US' ? 'CA' : 'US';
  if (readRegion(text, other) !== null) return `${text} lies in ${other}; check the country`;
  const meant = nearest(text, [...REGIONS[country].values()]);
  const [code] = [...REGIONS[country]].find(([, name]) => name === meant) ?? [];
  if (code !== undefined && text.trim().length > 2) return `write "${code}"`;
  return `give the two letters of the ${country === 'US' ? 'state, such as "TX"' : 'province, such as "ON"'}`;
}
