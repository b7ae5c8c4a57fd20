import type { Details } from '../../domain/tracking';

/** A few fields by the contract; what is far more is no such object, and would weigh on every state. */
const MAX_DETAILS_LENGTH = 4_096;

/** @returns null for an object that is too large to be kept */
export function withinLength(details: Details | null): Details | null {
  return details !== null && JSON.stringify(details).length <= MAX_DETAILS_LENGTH ? details : null;
}
