import type { Refusal } from '../src/domain/call-failure';
import { isAnswerTrouble, type AnswerTrouble } from '../sandbox/troubles/trouble';
import { struckOf, type Struck } from './coverage';

/** The requests that may end an order before anything of it exists. */
const FIRST_REQUESTS: readonly string[] = ['createListing', 'createRateRequest'];

/** These statuses do not refuse the order itself: it is retried, in doubt, or the account has a problem. */
const NO_REFUSALS = new Set([401, 403, 408, 409, 425, 429]);

/** A planned refusal that the marketplace made, with the fields that its answer names. */
export type MeantRefusal = Readonly<NonNullable<ReturnType<typeof refusalOf>>>;

/** Undecodable bytes and gateway pages do not come from the marketplace: such a refusal leaves the write in doubt. */
const isUnreadable = ({ encoding, contentType }: AnswerTrouble): boolean =>
  encoding === 'broken' || contentType?.includes('html') === true;

/** Null for a trouble that does not refuse the order. */
function refusalOf({ when, what }: Struck) {
  const operation: string = when?.request ?? '';
  if (!FIRST_REQUESTS.includes(operation) || !isAnswerTrouble(what) || what.kind === 'anything') return null;
  const { kind, status = 400 } = what;
  const isRefusal = status >= 400 && status < 500 && !NO_REFUSALS.has(status);
  if (isUnreadable(what)) return null;
  if (kind === 'fieldError') return { operation, status, fields: [what.field ?? 'title'] };
  if (kind === 'duplicate') return { operation, status, fields: [what.field ?? 'listing'] };
  return kind === 'status' && isRefusal ? { operation, status, fields: [] } : null;
}

/** The refusals that may end an order before it is booked. Pure. */
export const refusalsOf = (reference: string, troubles: readonly Struck[]): readonly MeantRefusal[] =>
  struckOf(reference, troubles).flatMap((trouble) => refusalOf(trouble) ?? []);

export const isMeant = (refusal: Refusal, { operation, status, fields }: MeantRefusal): boolean =>
  refusal.operation === operation &&
  refusal.status === status &&
  fields.every((field) => refusal.fields.includes(field));
