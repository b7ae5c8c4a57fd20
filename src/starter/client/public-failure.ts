import type { temporal } from '@temporalio/proto';
import { refusalIn } from '../../domain/call-failure';
import { FailureType } from '../../domain/failure-type';
import { isIdentifier } from '../../marketplace/vocabulary';
import type { KeptPayloads } from './kept-payloads';
import { wordOf } from './public-words';

type ProtoFailure = temporal.api.failure.v1.IFailure;

/** What may be published about a failure: names and codes from closed lists, and no message. */
export interface PublicFailure {
  /** `Rejected`, `heartbeat time-out`, `TypeError`. */
  readonly type: string;
  /** Operation of the marketplace client; null when no call failed. */
  readonly operation: string | null;
  readonly status: number | null;
  readonly codes: readonly string[];
}

const TYPES: ReadonlySet<string> = new Set(Object.values(FailureType));
/** A class of JavaScript or of the SDK. */
const IS_CLASS = /^[A-Z][A-Za-z]{0,40}(?:Error|Failure)$/;
/** The marketplace's numbers. Any other code must consist of known words. */
const IS_NUMBER = /^[45]\d{4}$/;

const typeOf = (type: string | null | undefined): string =>
  type != null && (TYPES.has(type) || IS_CLASS.test(type)) ? type : 'other type';

const named = (type: string): PublicFailure => ({ type, operation: null, status: null, codes: [] });

/** @returns null when nothing failed */
export async function publicFailure(
  failure: ProtoFailure | null | undefined,
  payloads: KeptPayloads,
): Promise<PublicFailure | null> {
  if (failure == null) return null;
  const { applicationFailureInfo: application, timeoutFailureInfo: timeout } = failure;
  if (timeout != null) return named(`${wordOf('TimeoutType', timeout.timeoutType)} time-out`);
  if (failure.canceledFailureInfo != null) return named('cancelled');
  if (application == null) return (await publicFailure(failure.cause, payloads)) ?? named('other type');
  const call = refusalIn([await payloads.readFirst(application.details)]);
  const { operation = null, status = null, codes = [] } = call ?? {};
  return {
    type: typeOf(application.type),
    operation: operation !== null && isIdentifier(operation) ? operation : null,
    status: Number.isInteger(status) ? status : null,
    codes: codes.filter((code) => IS_NUMBER.test(code) || isIdentifier(code)),
  };
}

/** `Rejected (createListing, 400, 40006)`. */
export function failureText({ type, operation, status, codes }: PublicFailure): string {
  const details = [operation, status, ...codes].filter((part) => part !== null).join(', ');
  return details === '' ? type : `${type} (${details})`;
}
