import { assertNever } from '../src/domain/assert-never';
import type { Revision, RevisionPreview } from '../src/starter/client/revise-order';

/** What a changed order will do, in words, before it is done. */
export function effectOf(preview: RevisionPreview): string {
  if (preview.kind === 'answer')
    return `This answers question ${preview.questionId} with the changed order. Consign goes on with it by its policy, and may book without asking again.`;
  switch (preview.plan) {
    case 'nothing':
    case 'recordOnly':
      return 'This changes the order at Consign. Its listing stays as it is.';
    case 'change':
      return preview.isPriced
        ? 'Consign asks for a new price, then changes the open listing where it is. Above the order’s price limit, or once a carrier has booked, nothing is changed.'
        : 'This changes the open listing where it is. It is refused once a carrier has booked.';
    case 'relist':
      return 'Consign takes the open listing down, and lists the order anew. It is refused once a carrier has booked.';
    default:
      return assertNever(preview.plan);
  }
}

/** `What changes: pickup, items.` */
export const changedText = ({ fields }: Pick<RevisionPreview, 'fields'>): string =>
  fields.length === 0
    ? 'The document says what the order already is.'
    : `What changes: ${fields.join(', ')}.`;

/** What became of it. */
export const doneText = (revision: Revision): string =>
  revision.kind === 'answer' ? 'The question is answered with the changed order.' : revision.report.what;
