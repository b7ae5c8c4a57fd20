import pc from 'picocolors';
import { commandLines } from '../../domain/command-lines';
import { allFields, type Field } from '../../orders/fields';
import { nearest } from '../../orders/spelling';
import { UserError } from '../../platform/user-error';
import { table, terminalWidth } from './table';

const nameOf = ({ path }: Field): string => path.slice(path.lastIndexOf('.') + 1);

/** The fields of a group, one line each. */
export function renderFields(fields: readonly Field[]): string {
  const rows = fields.map((field) => [
    nameOf(field),
    field.isRequired ? 'yes' : '',
    field.default ?? '',
    field.description,
  ]);
  return table(['field', 'required', 'default', 'meaning'], rows, { width: terminalWidth() });
}

/** What can be explained, each with its beginning of a path. */
export function renderDocuments(documents: readonly Field[]): string {
  const rows = documents.map(({ path, description }) => [path, description]);
  return table(['path', 'explains'], rows, { width: terminalWidth() });
}

/** One field with its meaning, and its fields if it has some. */
export function renderField(field: Field): string {
  const { path, description, form, values, fields } = field;
  const facts = [
    ['Required', field.isRequired ? 'yes' : 'no'],
    ['Form', form],
    ['Values', values.join(', ')],
    ['Default', field.default ?? ''],
  ];
  const lines = facts
    .filter(([, text]) => text !== '')
    .map(([name = '', text]) => `  ${name.padEnd(9)} ${text}`);
  return [
    ...[pc.bold(path), `  ${description}`],
    // A document itself is neither required nor optional.
    ...(path.includes('.') ? lines : []),
    ...(fields.length === 0 ? [] : ['', renderFields(fields)]),
  ].join('\n');
}

/** More would hide the likely ones. */
const MOST_GUESSES = 3;

/** The error for a path that no field has, with the fields that may be meant. */
export function unknownField(wanted: string, documents: readonly Field[]): UserError {
  const { owner, name, fields } = deepestKnown(wanted.split('.'), documents);
  const guess = nearest(name, fields.map(nameOf));
  const near = fields.filter((field) => nameOf(field) === guess).map(({ path }) => path);
  const guesses = [...new Set([...near, ...sameEnding(wanted, documents)])].slice(0, MOST_GUESSES);
  const hint =
    guesses.length === 0
      ? `\`${commandLines.explain(owner)}\` lists what ${owner === null ? 'can be explained' : 'it has'}.`
      : `Did you mean ${guesses.join(' or ')}?`;
  const problem = owner === null ? `There is no document named ${name}.` : `${owner} has no field ${name}.`;
  return new UserError(problem, { hint });
}

interface Known {
  /** Null when not even the document is known. */
  readonly owner: string | null;
  readonly fields: readonly Field[];
  /** The first name that the owner does not have. */
  readonly name: string;
}

function deepestKnown(
  [name = '', ...rest]: readonly string[],
  fields: readonly Field[],
  owner: string | null = null,
): Known {
  const known = fields.find((field) => nameOf(field) === name);
  return known === undefined ? { owner, fields, name } : deepestKnown(rest, known.fields, known.path);
}

/** Fields elsewhere that end like the path, or have its last name; the shortest paths first. */
function sameEnding(wanted: string, documents: readonly Field[]): string[] {
  const paths = documents.flatMap(allFields).map(({ path }) => path);
  const ends = [wanted, wanted.slice(wanted.lastIndexOf('.') + 1)];
  const found = ends.map((end) => paths.filter((path) => path.endsWith(`.${end}`)));
  return (found.find(({ length }) => length > 0) ?? []).toSorted((a, b) => a.length - b.length);
}
