import type { MarketplaceOutcome, Operation } from './sort-outcome';

/** Identifies a request. The path contains ids, but no query and no secret. */
export interface RequestName {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** The listing that the request is about, if any. */
  readonly listingId?: string;
}

interface ErrorDetails {
  readonly request: RequestName;
  readonly outcome: MarketplaceOutcome;
  readonly status?: number | null;
  readonly codes?: readonly string[];
  readonly fields?: readonly string[];
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * Base of everything that the client throws. `outcome` says whether the request may have had an effect. The message
 * consists of known parts: call, status, codes, fields, and Consign's own words. So it may be shown anywhere.
 */
export abstract class MarketplaceError extends Error {
  readonly outcome: MarketplaceOutcome;
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** The listing that the request is about; null for other requests. */
  readonly listingId: string | null;
  readonly status: number | null;
  /** Error codes of the marketplace, such as `40006`. */
  readonly codes: readonly string[];
  /** Fields of the request that the marketplace named. */
  readonly fields: readonly string[];
  readonly retryAfterMs: number | null;

  protected constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.outcome = details.outcome;
    this.operation = details.request.operation;
    this.method = details.request.method;
    this.path = details.request.path;
    this.listingId = details.request.listingId ?? null;
    this.status = details.status ?? null;
    this.codes = details.codes ?? [];
    this.fields = details.fields ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

const title = ({ method, path }: RequestName): string => `${method} ${path}`;

/** Thrown when the marketplace answered with an error status. */
export class ApiError extends MarketplaceError {
  override readonly name = 'ApiError';
  declare readonly status: number;
  /** Whether the body can be the service's own; an HTML page or a broken body may come from a gateway. */
  readonly isReadable: boolean;
  /**
   * What the marketplace said, as far as it may be shown to people who look at the shipment. Not part of the message.
   */
  readonly words: string | null;
  /** For the marketplace's support. */
  readonly requestId: string | null;

  constructor(
    details: ErrorDetails & {
      readonly status: number;
      /** In Consign's words, or in known codes and fields. */
      readonly reasons: readonly string[];
      readonly words?: string | null;
      readonly requestId?: string | null;
      readonly isReadable?: boolean;
    },
  ) {
    const why = details.reasons.length === 0 ? '' : `: ${details.reasons.join('; ')}`;
    const id = details.requestId == null ? '' : ` [request ${details.requestId}]`;
    super(`${title(details.request)} answered ${details.status}${why}${id}`, details);
    this.isReadable = details.isReadable ?? true;
    this.words = details.words ?? null;
    this.requestId = details.requestId ?? null;
  }
}

/**
 * Thrown when no complete answer arrived: the host was not found or refused, the deadline passed, or the connection
 * broke. `beforeSent` is certain; `afterSent` also means "unknown".
 */
export class ConnectionError extends MarketplaceError {
  override readonly name = 'ConnectionError';
  readonly phase: 'beforeSent' | 'afterSent';
  /** The platform's code, such as `ECONNREFUSED`. */
  readonly code: string | null;

  constructor(details: ErrorDetails & { readonly code: string | null; readonly reason: string }) {
    const phase = details.outcome === 'notSent' ? 'beforeSent' : 'afterSent';
    const when = phase === 'beforeSent' ? 'before the request was sent' : 'the request may have arrived';
    super(`${title(details.request)} got no answer: ${details.reason}, ${when}`, details);
    this.phase = phase;
    this.code = details.code;
  }
}

/** Thrown when the answer does not match the contract: unreadable, or without a required field. */
export class UnexpectedResponseError extends MarketplaceError {
  override readonly name = 'UnexpectedResponseError';
  declare readonly status: number;
  /** What was expected, with the name of the field. */
  readonly expected: string;

  constructor(details: ErrorDetails & { readonly status: number; readonly expected: string }) {
    super(
      `${title(details.request)} answered ${details.status} without what is needed: ${details.expected}`,
      details,
    );
    this.expected = details.expected;
  }
}

/** Thrown before anything is sent, when the input does not fit the contract's request. */
export class InvalidRequestError extends MarketplaceError {
  override readonly name = 'InvalidRequestError';

  constructor(request: RequestName, problems: readonly string[]) {
    super(`${title(request)} was not sent, its input does not fit: ${problems.join('; ')}`, {
      request,
      outcome: 'rejected',
    });
  }
}

/** Thrown before anything is sent, when a secret of the account cannot be read or cannot be sent in a header. */
export class CredentialsError extends MarketplaceError {
  override readonly name = 'CredentialsError';

  constructor(request: RequestName, problem: string, cause?: unknown) {
    super(`${title(request)} was not sent: ${problem}`, { request, outcome: 'accountTrouble', cause });
  }
}
