import { badReference } from './bad-elements';
import { referenceTypes, type ReferenceType } from '../model/codes';
import type { Listing } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from './enum-labels';

type Form = Exclude<SandboxSwitches['referenceForm'], 'none'>;

/** The `type` of a reference in each form; undefined leaves it out. */
const typeIn = (type: ReferenceType, labels: Labels): Record<Form, unknown> => ({
  trio: labels.trio(type),
  name: type,
  number: referenceTypes.indexOf(type) + 1,
  untyped: undefined,
  renamed: labels.trio(`Partner${type}`),
});

/**
 * References as the switch `referenceForm` wants them; undefined under `none`. Contract: for type Other the label and
 * the number are combined into one text.
 */
export function writeReferences(
  listing: Listing,
  parts: { readonly switches: SandboxSwitches; readonly labels: Labels },
  references = listing.draft.referenceNumbers,
): readonly unknown[] | undefined {
  const { badElements, otherReferenceNumber, referenceForm } = switchesFor(listing, parts);
  if (referenceForm === 'none') return undefined;
  const isCombined = otherReferenceNumber === 'combined';
  const good = references.map(({ number, type, referenceNumberLabel: label }) => ({
    number: isCombined && type === 'Other' && label !== undefined ? `${label} - ${number}` : number,
    type: typeIn(type, parts.labels)[referenceForm],
    referenceNumberLabel: label ?? null,
  }));
  return [...badReference(badElements), ...good];
}
