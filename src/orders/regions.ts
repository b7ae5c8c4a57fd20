import { nearest } from './spelling';

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

/** The letters of a name or code without separators: `Washington, D.C.` is WASHINGTONDC. */
const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** Other codes and abbreviations that the postal services of both countries accept. */
const ALIASES: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  US: { WASHINGTONDC: 'DC', WASHDC: 'DC' },
  CA: { PQ: 'QC', QUE: 'QC', NF: 'NL', LB: 'NL', PEI: 'PE', NWT: 'NT', ONT: 'ON', ALTA: 'AB', SASK: 'SK' },
};

/** Codes of the US Postal Service for places without a road or usual ferry. Some are countries in ISO 3166. */
const UNREACHABLE =
  table(`AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific|AS American Samoa|
  FM Micronesia|GU Guam|MH Marshall Islands|MP Northern Mariana Islands|PW Palau|UM US Minor Outlying Islands|
  VI US Virgin Islands`);
/** Military codes are states only: the country AE is the United Arab Emirates. */
const ARMED_FORCES = ['AA', 'AE', 'AP'];

/** The name of a place that trucks cannot reach, by its code or name; null for any other place. */
export function unreachablePlace(text: string, as: 'state' | 'country'): string | null {
  const letters = lettersOf(text);
  const [code, name] =
    [...UNREACHABLE].find(([code, name]) => {
      return (
        letters === code || letters === lettersOf(name) || (code === 'VI' && letters === 'VIRGINISLANDS')
      );
    }) ?? [];
  if (code === undefined || name === undefined) return null;
  return as === 'country' && ARMED_FORCES.includes(code) ? null : name;
}

/** A city name of military mail. */
export const isMilitaryPost = (city: string): boolean => /^\s*[ADF]\.?P\.?O\b/i.test(city);

/** A country in ISO 3166, but a US state for the postal service. */
export const isPuertoRico = (text: string): boolean => ['PR', 'PRI', 'PUERTORICO'].includes(lettersOf(text));

/** A city name that includes the district: unlike a city in Washington state. */
export const isWashingtonDc = (city: string): boolean =>
  ['WASHINGTONDC', 'WASHINGTONDISTRICTOFCOLUMBIA'].includes(lettersOf(city));

/** Postal codes of the District of Columbia; 201 is Virginia's. */
export const isDcPostalCode = (code: string): boolean => /^\s*(20[02-5]|569)/.test(code);

/** The country as written, or the country that was meant; null when there is neither. */
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

/** The two letters of a state or province; null when the country has no such one. */
export function readRegion(text: string, country: Country): string | null {
  const clean = text.toUpperCase().replaceAll(/[.,\s]/g, '');
  if (REGIONS[country].has(clean)) return clean;
  const aliases = ALIASES[country];
  return Object.hasOwn(aliases, clean) ? (aliases[clean] ?? null) : null;
}

/** The two letters of a state or province that is written out; null when the country has no such one. */
export function meantRegion(text: string, country: Country): string | null {
  // Also Québec.
  const clean = lettersOf(text.normalize('NFKD'));
  const [code] = [...REGIONS[country]].find(([, name]) => lettersOf(name) === clean) ?? [];
  return code ?? null;
}

/** By the first character of a code. Few places use that of a neighbour: 005 in New York, 885 in Texas. */
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

/** The remedy for an unknown state or province. */
export function regionRemedy(text: string, country: Country): string {
  const other: Country = country === 'US' ? 'CA' : 'US';
  if (readRegion(text, other) !== null) return `${text} is in ${other}; check the country`;
  const meant = nearest(text, [...REGIONS[country].values()]);
  const [code] = [...REGIONS[country]].find(([, name]) => name === meant) ?? [];
  if (code !== undefined && text.trim().length > 2) return `write "${code}"`;
  return `give the two letters of the ${country === 'US' ? 'state, such as "TX"' : 'province, such as "ON"'}`;
}
