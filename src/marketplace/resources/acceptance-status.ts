import type { AcceptanceStatus } from '../../domain/acceptance';
import { readClues } from '../../domain/marketplace-event';
import { foreignHostText, type ApiResponse } from '../api-response';
import { readErrorBody, readErrorValue } from '../error-body';
import { listingIdOf } from '../location';
import { sentSecrets, redactError } from '../redact';
import { hintsOf } from '../refusal-hints';
import { acceptanceStatusSchema } from '../schemas/rates';
import { isAccountTrouble, saysDuplicate } from '../sort-outcome';
import { isMarkup } from '../unreadable';

const MAX_ENCODINGS = 3;

/** `response` is JSON in a string, sometimes encoded twice; other text stays text. */
function decodeResponse(response: unknown): unknown {
  let value = response;
  for (let encoding = 0; encoding < MAX_ENCODINGS && typeof value === 'string'; encoding += 1) {
    try {
      value = JSON.parse(value);
    } catch (error) {
      if (error instanceof SyntaxError) break;
      throw error;
    }
  }
  return value;
}

const MAX_DEPTH = 6;
/** Fields that contain an address, such as `{href}` and `{Location}`. */
const ADDRESS_FIELD = /^(?:href|location|uri|url)$/i;

function addressIn(response: unknown, depth = 0): string | null {
  if (typeof response !== 'object' || response === null || depth > MAX_DEPTH) return null;
  for (const [name, value] of Object.entries(response)) {
    const found =
      typeof value === 'string' && ADDRESS_FIELD.test(name) && value.includes('listings/')
        ? listingIdOf(value)
        : addressIn(value, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Only a hint: the listing's own record says whose it is. */
function listingIdIn(response: unknown): string | null {
  return readClues('', response).listingIds[0] ?? addressIn(response);
}

/** How the acceptance failed: all reasons, for deciding, and the part that may be shown. */
function readFailure(response: unknown, statusCode: number) {
  const reading = typeof response === 'string' ? readErrorBody(response) : readErrorValue(response);
  const reasons = [reading.reason, ...reading.fields.map((field) => field.reason)].join(' ');
  // This call sent no personal data.
  const { problems, words } = redactError(reading, statusCode, sentSecrets([]));
  const reason = [`the acceptance ended with ${statusCode}`, ...problems, ...hintsOf(reasons)].join('; ');
  return { reasons, reason, words };
}

/** 201 and 303 mean booked. The listing is in `Location`, sometimes in the body. */
function readBooked(answer: ApiResponse): AcceptanceStatus {
  const listingId = listingIdOf(answer.location.own) ?? listingIdIn(decodeBody(answer));
  return listingId === null
    ? {
        kind: 'inDoubt',
        reason: `the status says booked with ${answer.status} and names no listing${foreignHostText(answer.location)}`,
        words: null,
        listingId,
      }
    : { kind: 'booked', listingId };
}

function decodeBody(answer: ApiResponse): unknown {
  const body = decodeResponse(answer.text() ?? '');
  const parsed = acceptanceStatusSchema.safeParse(body);
  return [body, parsed.success ? decodeResponse(parsed.data.response) : null];
}

/**
 * Contract: acceptance status `{response, statusCode}`. Booked is HTTP 201 (an older form: 303) with the listing as
 * `Location`. With HTTP 200 the inner status decides.
 */
export function readAcceptanceStatus(answer: ApiResponse): AcceptanceStatus {
  if (answer.status === 404) return { kind: 'notVisible' };
  if (answer.status === 201 || answer.status === 303) return readBooked(answer);
  const { response, statusCode } = answer.json(acceptanceStatusSchema);
  const decoded = decodeResponse(response);
  const listingId = listingIdOf(answer.location.own) ?? listingIdIn(decoded);
  if (statusCode === null || statusCode === 0) return { kind: 'pending', statusCode, listingId };
  if (statusCode === 201) {
    return listingId === null
      ? {
          kind: 'inDoubt',
          reason: 'the acceptance ended with 201 and names no listing',
          words: null,
          listingId,
        }
      : { kind: 'booked', listingId };
  }
  if (statusCode >= 200 && statusCode < 300) return { kind: 'pending', statusCode, listingId };
  if (statusCode >= 400 && statusCode < 500) {
    const { reasons, reason, words } = readFailure(decoded, statusCode);
    // A gateway's page instead of an outcome: it is unknown who refused.
    if (typeof decoded === 'string' && isMarkup(decoded))
      return {
        kind: 'inDoubt',
        reason: `the acceptance ended with ${statusCode}: a page in HTML`,
        words: null,
        listingId,
      };
    if (isAccountTrouble(statusCode, reasons))
      return { kind: 'accountTrouble', statusCode, reason, words, listingId };
    return { kind: 'failed', statusCode, reason, words, listingId, isDuplicate: saysDuplicate(reasons) };
  }
  const { reason, words } = readFailure(decoded, statusCode);
  return { kind: 'inDoubt', reason, words, listingId };
}
