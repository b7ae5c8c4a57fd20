/** What no text may show. The first ones are the account's, the others the order's. */
export const CANARIES = {
  key: 'sk-live-Qx7Zebrafish-99',
  plainPassword: 'mongooseparade',
  tokenOfElse: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ6ZWJyYSJ9.c2lnbmF0dXJl',
  bearer: 'Bearer abcdef0123456789',
  hexKey: 'deadbeefcafe42',
  name: 'Zebulon Quux',
  firstName: 'Ottoline',
  lastName: 'Quux',
  lowerName: 'wilhelmina',
  accentName: "Zoë O'Hara",
  company: 'Pumpernickel & Sons',
  phone: '5125550147',
  phoneDashes: '512-555-0147',
  phoneDots: '512.555.0147',
  phoneBraces: '(512) 555-0147',
  phoneTight: '(512)555-0147',
  phoneSpaces: '512 555 0147',
  phoneCountry: '+1 512 555 0147',
  phoneCountryDashes: '1-512-555-0147',
  phoneSlash: '512/555-0147',
  email: 'ottoline.quux@zebra.example',
  emailTagged: 'zq+freight@zebra.example',
  street: '4711 Marmalade Lane',
  unit: 'Apt 12-Q',
  town: 'Wimbledonia',
  postalCode: '78703',
  postalCodeLikeCode: '40006-1234',
  note: 'ring at Ottoline twice',
} as const;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const escaped = (text: string): string =>
  Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');

/** How an answer repeats a text: its body, and the headers of it. */
export type Echo = (text: string) => { readonly body: string; readonly headers?: Record<string, string> };
const json = (body: unknown): { readonly body: string } => ({ body: JSON.stringify(body) });
const reason = (text: string) => json({ reason: `the carrier cannot reach ${text} today` });

export const ECHOES: Readonly<Record<string, Echo>> = {
  plain: reason,
  'upper case': (text) => reason(text.toUpperCase()),
  'HTML escaped': (text) => reason(escaped(text)),
  'URL encoded': (text) => reason(encodeURIComponent(text)),
  base64: (text) => reason(base64(text)),
  'spaces doubled': (text) => reason(text.replaceAll(' ', '  ')),
  'split by a line break': (text) => reason(`${text.slice(0, 5)}\n${text.slice(5)}`),
  'as a code': (text) => json({ code: text, errors: [{ code: text, field: 'title', reason: 'bad' }] }),
  'as a field': (text) => json({ errors: { [text]: ['bad'], [`contact.${text}`]: ['bad'] } }),
  'as a request id': (text) => ({
    ...json({ reason: 'bad' }),
    headers: { 'x-request-id': encodeURIComponent(text), 'content-encoding': encodeURIComponent(text) },
  }),
  'cut in the middle': (text) => json({ reason: `${'so '.repeat(97)}${text.slice(0, -2)}` }),
  'in JSON in JSON': (text) => reason(JSON.stringify({ contact: { name: text } })),
  'in a page': (text) => ({ body: `<html><title>${text}</title><body>${text}<b>${text}</b></body></html>` }),
  'as plain text': (text) => ({ body: `no ${text} here` }),
};

const bareOf = (form: string): string => form.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The forms in which a text shows one of these. Digits within an id or an instant are none. */
export function hitsIn(text: string, canaries: readonly string[] = Object.values(CANARIES)): string[] {
  const flat = text.toLowerCase().replaceAll(/\s+/g, ' ');
  const bare = bareOf(flat);
  return canaries.flatMap((canary) => {
    const wanted = canary.toLowerCase();
    const encoded = [encodeURIComponent(canary).toLowerCase(), escaped(canary), base64(canary).toLowerCase()];
    const found = encoded.filter((form) => form !== wanted && flat.includes(form));
    if (/^\d+$/u.test(wanted))
      return [...found, ...(flat.match(new RegExp(`(?<![\\w.])${wanted}(?!\\w)`, 'gu')) ?? [])];
    const isBare = bare.includes(bareOf(wanted));
    return [...found, ...(flat.includes(wanted) ? [wanted] : []), ...(isBare ? [bareOf(wanted)] : [])];
  });
}
