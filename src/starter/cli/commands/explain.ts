import { documentFields } from '../../../accounts/fields';
import { findField } from '../../../orders/fields';
import type { CliContext } from '../context';
import { renderDocuments, renderField, unknownField } from '../show-fields';

export interface ExplainOptions {
  readonly json?: boolean;
}

/** As the messages about a document write a path: `$.items[0].size`. */
const withoutPlaces = (path: string): string => path.replaceAll(/^\$\.?|\[[^\]]*\]/g, '');

/** `consign explain`. @throws UserError when there is no such field */
export function explain(
  context: Pick<CliContext, 'print'>,
  path: string | undefined,
  { json }: ExplainOptions,
): void {
  const documents = documentFields();
  const wanted = path === undefined ? '' : withoutPlaces(path);
  if (wanted === '') {
    context.print(json === true ? JSON.stringify(documents, null, 2) : renderDocuments(documents));
    return;
  }
  const field = findField(documents, wanted);
  if (field === null) throw unknownField(wanted, documents);
  context.print(json === true ? JSON.stringify(field, null, 2) : renderField(field));
}
