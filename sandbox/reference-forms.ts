import { badReference } from './bad-elements';
import { referenceTypes } from './codes';
import type { ListingDraft, ReferenceNumber } from './state';
import { switchesFor, type SandboxSwitches } from './switches';
import type { Wording } from './wording';

function typePart(
  type: ReferenceNumber['type'],
  form: SandboxSwitches['referenceForm'],
  wording: Wording,
): object {
  switch (form) {
    case 'name':
      return { type };
    case 'number':
      return { type: referenceTypes.indexOf(type) + 1 };
    case 'untyped':
      return {};
    case 'renamed':
      return { type: wording.trio(`Partner${type}`) };
    default:
      return { type: wording.trio(type) };
  }
}

/**
 * References as the switch `referenceForm` wants them; undefined under `none`. Contract: for type Other the label and
 * the number are combined into one text.
 */
export function writeReferences(
  draft: ListingDraft,
  references: readonly ReferenceNumber[],
  { switches: all, wording }: { readonly switches: SandboxSwitches; readonly wording: Wording },
): readonly unknown[] | undefined {
  const { badElements, otherReferenceNumber, referenceForm } = switchesFor(draft, all);
  if (referenceForm === 'none') return undefined;
  const isCombined = otherReferenceNumber === 'combined';
  const good = references.map(({ number, type, referenceNumberLabel: label }) => ({
    number: isCombined && type === 'Other' && label !== undefined ? `${label} - ${number}` : number,
    ...typePart(type, referenceForm, wording),
    referenceNumberLabel: label ?? null,
  }));
  return [...badReference(badElements), ...good];
}
