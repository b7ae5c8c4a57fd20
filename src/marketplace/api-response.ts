import { z } from 'zod';
import { senderTimeMsOf } from './clock-skew';
import { ApiError, UnexpectedResponseError, type RequestName } from './errors';
import { fieldName, parseLenient, parseList, type LenientList } from './lenient';
import type { HttpResponse } from './http';
import { readLocation, type LocationHosts, type NamedLocation } from './location';
import { redactRequestId, type Sent } from './redact';
import { sortOutcome } from './sort-outcome';

const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-apigw-id',
];
const MAX_PROBLEMS = 5;

const listSchema = z.looseObject({ items: z.array(z.unknown()) });

/** Names fields and what they should be, never their values. */
export function issueTexts(error: z.ZodError): string[] {
  return error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.length === 0 ? 'body' : fieldName(path)} (${message})`);
}

/** @param sent the contents of the request, which a header may repeat as a body may */
export function requestIdOf(answer: HttpResponse, sent: Sent): string | null {
  const id = REQUEST_ID_HEADERS.map(answer.header).find((value) => value !== null && value !== '');
  return redactRequestId(id ?? null, sent);
}

/** A wrong date must not delay an order for years. A call that is refused again waits again. */
const MOST_WAIT_MS = 60 * 60_000;

/**
 * Reads `Retry-After`: seconds, or an HTTP date. The contract does not document it.
 * @returns milliseconds, at most an hour; null without the header, and for a date in an answer that does not say its
 * own time, because the two clocks may differ
 */
export function retryAfterMsOf(answer: HttpResponse): number | null {
  const value = answer.header('retry-after')?.trim() ?? '';
  const isSeconds = /^\d{1,9}(\.\d+)?$/.test(value);
  const untilMs = Date.parse(value) - (senderTimeMsOf(answer) ?? Number.NaN);
  const waitMs = isSeconds ? Math.round(Number(value) * 1_000) : Math.max(0, untilMs);
  return Number.isNaN(waitMs) ? null : Math.min(waitMs, MOST_WAIT_MS);
}

/** Names only the host; the rest may be anything. */
export const foreignHostText = ({ foreignHost }: NamedLocation): string =>
  foreignHost === null ? '' : ` (it names the host ${foreignHost}, which is not among locationHosts)`;

/** An answer without an error, not parsed yet. */
export class ApiResponse {
  readonly status: number;
  readonly location: NamedLocation;
  /** How many milliseconds the sender's clock is ahead of Consign's; null when the answer does not say. */
  readonly skewMs: number | null;

  constructor(
    private readonly request: RequestName,
    private readonly answer: HttpResponse,
    { skewMs = null, hosts }: { readonly skewMs?: number | null; readonly hosts?: LocationHosts } = {},
  ) {
    this.status = answer.status;
    this.skewMs = skewMs;
    this.location = readLocation(answer.header('location'), hosts ?? { ownUrls: [], accepted: [] });
  }

  /** Parses the body as JSON in the schema's shape. */
  json<T>(schema: z.ZodType<T>): T {
    const parsed = schema.safeParse(this.parse());
    if (!parsed.success) throw this.unexpected(issueTexts(parsed.error).join('; '));
    return parsed.data;
  }

  /** The same, but an invalid optional field counts as null. */
  lenient<T>(schema: z.ZodType<T>): T {
    const parsed = parseLenient(schema, this.parse());
    if (!parsed.success) throw this.unexpected(issueTexts(parsed.error).join('; '));
    return parsed.data;
  }

  /** Parses the `items` of the body one by one, because an invalid one must not hide the others. */
  list<T>(element: z.ZodType<T>): LenientList<T> {
    return parseList(element, this.json(listSchema).items);
  }

  /** The body unchanged; null when it did not arrive completely. */
  text(): string | null {
    return this.answer.body.kind === 'whole' ? this.answer.body.text : null;
  }

  unexpected(expected: string): UnexpectedResponseError {
    return new UnexpectedResponseError({
      request: this.request,
      outcome: sortOutcome(this.request.operation, { kind: 'unreadable' }),
      status: this.status,
      expected,
    });
  }

  /** @param named what the header should name, such as `the listing` */
  withoutLocation(named: string): UnexpectedResponseError {
    return this.unexpected(`a Location header that names ${named}${foreignHostText(this.location)}`);
  }

  /** The error for a 2xx whose content says that the thing does not exist. */
  notFound(reason: string): ApiError {
    return new ApiError({ request: this.request, outcome: 'rejected', status: 404, reasons: [reason] });
  }

  private parse(): unknown {
    const { body } = this.answer;
    if (body.kind === 'broken') throw body.error;
    if (body.kind === 'tooLarge') throw this.unexpected(`a body of at most ${body.limitInBytes} bytes`);
    if (body.kind === 'undecodable') throw this.unexpected(`a body that can be decoded as ${body.encoding}`);
    if (body.text.trim() === '') throw this.unexpected('a JSON body, it was empty');
    try {
      return JSON.parse(body.text);
    } catch (error) {
      // The parser's error quotes the text, which may contain contacts, so it is replaced.
      if (error instanceof SyntaxError) throw this.unexpected('a JSON body');
      throw error;
    }
  }
}
