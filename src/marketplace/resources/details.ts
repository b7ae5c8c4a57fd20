import type { Details } from '../../domain/tracking';

/** The contract describes a few fields; a far larger object is something else, and would bloat every state. */
const MAX_DETAILS_LENGTH = 4_096;

/** @returns null for an object that is too large to keep */
export function withinLength(details: Details | null): Details | null {
  return details !== null && JSON.stringify(details).length <= MAX_DETAILS_LENGTH ? details : null;
}
