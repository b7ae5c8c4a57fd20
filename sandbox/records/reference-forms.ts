import { badReference } from './bad-elements';
import { referenceTypes } from '../model/codes';
import type { ListingDraft, ReferenceNumber } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from './enum-labels';

function typePart(
  type: ReferenceNumber['type'],
  form: SandboxSwitches['referenceForm'],
  labels: Labels,
): object {
  switch (form) {
    case 'name':
      return { type };
    case 'number':
      return { type: referenceTypes.indexOf(type) + 1 };
    case 'untyped':
      return {};
    case 'renamed':
      return { type: labels.trio(`Partner${type}`) };
    default:
      return { type: labels.trio(type) };
  }
}

/**
 * References as the switch `referenceForm` wants them; undefined under `none`. Contract: for type Other the label and
 * the number are combined into one text.
 */
export function writeReferences(
  draft: ListingDraft,
  references: readonly ReferenceNumber[],
  { switches: all, labels }: { readonly switches: SandboxSwitches; readonly labels: Labels },
): readonly unknown[] | undefined {
  const { badElements, otherReferenceNumber, referenceForm } = switchesFor(draft, all);
  if (referenceForm === 'none') return undefined;
  const isCombined = otherReferenceNumber === 'combined';
  const good = references.map(({ number, type, referenceNumberLabel: label }) => ({
    number: isCombined && type === 'Other' && label !== undefined ? `${label} - ${number}` : number,
    ...typePart(type, referenceForm, labels),
    referenceNumberLabel: label ?? null,
  }));
  return [...badReference(badElements), ...good];
}
