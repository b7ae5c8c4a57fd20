import { isScalar, LineCounter, parseAllDocuments, type Document, type Tags } from 'yaml';

export interface YamlText {
  /** The only document with content; null when there is none, or several. */
  readonly document: Document.Parsed | null;
  /** The line in which each document with content begins. */
  readonly beginnings: readonly number[];
  /** The line of an offset in the text. */
  readonly lineAt: (offset: number) => number;
}

/**
 * Reads JSON or YAML, of which JSON is a part. It always reads YAML 1.2 and ignores a version directive: in version 1.1
 * the postal code 02110 is the number 1096. A `---` or `...` without content after it does not begin a document.
 */
export function parseYaml(text: string): YamlText {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    ...{ schema: 'core', resolveKnownTags: false, customTags: withSources, logLevel: 'error' },
    // Both take quadratic time; `plainValue` reports duplicate keys.
    ...{ uniqueKeys: false, prettyErrors: false, lineCounter: lines },
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const full = documents.filter((document) => !isEmpty(document));
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  return {
    document: full.length === 1 ? (full[0] ?? null) : null,
    beginnings: full.map(({ contents, range }) => lineAt(contents?.range[0] ?? range[0])),
    lineAt,
  };
}

function isEmpty({ contents, errors }: Document.Parsed): boolean {
  return errors.length === 0 && isScalar(contents) && contents.value === null && contents.source === '';
}

/**
 * Writes unchanged numbers back with their original digits: as numbers, `0010482`, `2400.00` and twenty digits would
 * lose some.
 */
function withSources(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || 'collection' in tag) return tag;
    const { test, stringify } = tag;
    if (!/:(int|float)$/.test(tag.tag) || test === undefined || stringify === undefined) return tag;
    return {
      ...tag,
      stringify(item, context, onComment, onChompKeep) {
        const { source, value } = item;
        const isSame =
          source !== undefined &&
          test.test(source) &&
          tag.resolve(source, () => {}, context.doc.options) === value;
        return isSame ? source : stringify(item, context, onComment, onChompKeep);
      },
    };
  });
}
