import { documentFields } from '../src/accounts/fields';
import { allFields, findField, type Field } from '../src/orders/fields';
import { orderJsonSchema } from '../src/orders/json-schema';
import { capacityTable, planTable } from './capacity';

const DOCUMENTS = documentFields();

function fieldAt(path: string): Field {
  const field = findField(DOCUMENTS, path);
  if (field === null) throw new Error(`docs/tables.ts names ${path}, which no document has`);
  return field;
}

/** A row of a table: a field, by its path from the table's group. */
interface Row {
  readonly name: string;
  readonly field: Field;
}

/** @param folded fields whose own fields are explained elsewhere */
function rowsOf(path: string, folded: readonly string[]): Row[] {
  const isFolded = (name: string): boolean => folded.some((outer) => name.startsWith(`${outer}.`));
  return allFields(fieldAt(path))
    .slice(1)
    .map((field) => ({ name: field.path.slice(path.length + 1), field }))
    .filter(({ name }) => !isFolded(name));
}

const code = (text: string): string => `\`${text}\``;

/** A longer list would hide the meaning; `consign explain` prints it. */
const MOST_VALUES = 6;

/** The description, with the values and the default unless it names them already. */
function meaningOf({ description, values, default: usual }: Field, hasDefaults = false): string {
  const named = values.map(code);
  const isShort = named.length > 1 && named.length <= MOST_VALUES;
  const isNamed = named.every((value) => description.includes(value));
  const parts = [
    description,
    ...(isShort && !isNamed ? [`Values: ${named.join(', ')}.`] : []),
    ...(hasDefaults || usual === null || /^[[{]/.test(usual) ? [] : [`Default: ${code(usual)}.`]),
  ];
  return parts.join(' ');
}

const need = (row: Row | undefined): string =>
  row === undefined ? 'no' : row.field.isRequired ? 'yes' : 'may';

/** Fields of both kinds of order, each with the kinds that have it. */
function kindTable(part: string, folded: readonly string[]): string[][] {
  const [furniture, ltl] = [rowsOf(`furniture${part}`, folded), rowsOf(`ltl${part}`, folded)];
  const names = new Set([...furniture, ...ltl].map(({ name }) => name));
  const rows = [...names].map((name) => {
    const kinds = [furniture, ltl].map((rows) => rows.find((row) => row.name === name));
    const [first = '', second = first] = kinds.flatMap((row) =>
      row === undefined ? [] : [meaningOf(row.field)],
    );
    const meaning = first === second ? first : `Furniture: ${first} LTL: ${second}`;
    return [code(name), ...kinds.map(need), meaning];
  });
  return [['field', 'furniture', 'LTL', 'meaning'], ...rows];
}

function needTable(path: string, folded: readonly string[]): string[][] {
  const rows = rowsOf(path, folded).map((row) => [code(row.name), need(row), meaningOf(row.field)]);
  return [['field', 'needed', 'meaning'], ...rows];
}

/** Only what can be set: a group has no default. */
function defaultTable(path: string, folded: readonly string[]): string[][] {
  const rows = rowsOf(path, folded)
    .filter(({ name, field }) => field.fields.length === 0 || folded.includes(name))
    .map(({ name, field }) => [
      code(name),
      field.default === null ? 'none' : code(field.default),
      meaningOf(field, true),
    ]);
  return [['key', 'default', 'meaning'], ...rows];
}

const MONEY = ['coverage', 'priceLimit'];
const PACES = ['rates.pace', 'acceptance.pace', 'notSentPace', 'sweepPace', 'trackingPace', 'documentPace'];
const SECRETS = ['apiKey', 'xApiKey', 'clientCredentials', 'passwordGrant'].map((name) => `auth.${name}`);

/** Each table of the documentation that is made from schemas and measurements, by its name in the comment before it. */
const TABLES: Readonly<Record<string, () => string[][]>> = {
  order: () =>
    kindTable('', [
      ...['origin', 'destination', 'pickup', 'delivery', 'items', 'policy', 'rateRule', 'references'],
      ...MONEY,
    ]),
  stop: () => needTable('ltl.origin', []),
  item: () => kindTable('.items', []),
  policy: () => defaultTable('policy', [...PACES, 'rateRule.priceCap']),
  account: () =>
    needTable('accounts', [...SECRETS, 'baseUrl', 'webUrl', 'xApiKey', 'web', 'settings', 'notifications']),
  endpoint: () => needTable('accounts.notifications', ['url', 'secrets']),
  integration: () => needTable('integrations', ['secret']),
  token: () => needTable('apiTokens', ['token']),
  secret: () => needTable('integrations.secret', []),
  setting: () => defaultTable('accounts.settings', []),
  capacity: capacityTable,
  plan: planTable,
};

/** As prettier aligns a table. */
function tableText([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const TABLE = /(<!-- table (?<name>[a-z]+): .*-->\n\n)(?:\|.*\n)*\n?/g;

/** A page with its tables as schemas and measurements say. */
export function withTables(page: string): string {
  return page.replaceAll(TABLE, (_, comment: string, name: string) => {
    const rows = TABLES[name]?.();
    if (rows === undefined) throw new Error(`docs/tables.ts has no table ${name}`);
    return `${comment}${tableText(rows)}\n\n`;
  });
}

/** The content of `schema/order.json`. */
export const orderSchemaText = (): string => `${JSON.stringify(orderJsonSchema(), null, 2)}\n`;

/** The pages with such tables. */
export const PAGES = [
  ...['docs/orders.md', 'docs/policy.md', 'docs/accounts.md', 'docs/undocumented.md', 'docs/capacity.md'],
];
/** The JSON Schema of an order, for editors. */
export const ORDER_SCHEMA = 'schema/order.json';
