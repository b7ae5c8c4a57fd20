import type { NamespaceNeeds, SearchAttributeKind } from './prepare-namespace';

/** The types as `tcld` spells them. */
const TYPES: { readonly [K in SearchAttributeKind]: string } = {
  KEYWORD: 'Keyword',
  TEXT: 'Text',
  INT: 'Int',
  DOUBLE: 'Double',
  BOOL: 'Bool',
  DATETIME: 'Datetime',
  KEYWORD_LIST: 'KeywordList',
};

/**
 * The commands that give a namespace of Temporal Cloud what Consign needs. There, a namespace is changed through the API
 * of the Cloud and not through that of the cluster.
 * @param namespace with its account, such as `freight.a1b2c`; any other becomes a placeholder
 */
export function cloudCommands(namespace: string, needs: NamespaceNeeds): string[] {
  const target = `--namespace ${/^[a-z0-9-]+\.[a-z0-9]+$/.test(namespace) ? namespace : 'NAMESPACE.ACCOUNT'}`;
  // All in one: each command waits for the change before, and is refused as a whole when an attribute exists.
  const attributes = Object.entries(needs.searchAttributes).map(
    ([name, kind]) => `--search-attribute ${name}=${TYPES[kind]}`,
  );
  return [
    `tcld namespace search-attributes add ${target} ${attributes.join(' ')}`,
    `tcld namespace retention set ${target} --retention-days ${needs.retentionDays}`,
  ];
}
