import type { Refusal } from '../src/domain/call-failure';
import type { Operation, ScriptedFault } from '../sandbox';

type Fault = Pick<
  ScriptedFault,
  'reference' | 'endpoint' | 'kind' | 'status' | 'field' | 'hits' | 'encoding' | 'contentType'
>;

/** The requests that may end an order before anything of it exists. */
const FIRST_REQUESTS: ReadonlySet<Operation | '*'> = new Set(['createListing', 'createRateRequest'] as const);

/** These statuses do not refuse the order itself: it is retried, in doubt, or the account has a problem. */
const NO_REFUSALS = new Set([401, 403, 408, 409, 425, 429]);

/** Undecodable bytes and gateway pages do not come from the marketplace: such a refusal leaves the write in doubt. */
const isUnreadable = ({ encoding, contentType }: Fault): boolean =>
  encoding === 'broken' || contentType?.includes('html') === true;

/** The fields that the sandbox's answer names; null for a fault that does not refuse the order. */
function fieldsOf(fault: Fault): readonly string[] | null {
  const { kind, status = 400 } = fault;
  if (isUnreadable(fault)) return null;
  if (kind === 'fieldError') return [fault.field ?? 'title'];
  if (kind === 'duplicate') return [fault.field ?? 'listing'];
  const isRefusal = status >= 400 && status < 500 && !NO_REFUSALS.has(status);
  return kind === 'status' && isRefusal ? [] : null;
}

/** A planned refusal that the marketplace made. */
export type MeantRefusal = Pick<Refusal, 'operation' | 'status' | 'fields'>;

/** The refusals that may end an order before it is booked. Pure. */
export function refusalsOf(reference: string, faults: readonly Fault[]): readonly MeantRefusal[] {
  return faults
    .filter((fault) => fault.reference === reference && fault.hits > 0 && FIRST_REQUESTS.has(fault.endpoint))
    .flatMap((fault) => {
      const fields = fieldsOf(fault);
      const { endpoint: operation, status = 400 } = fault;
      return fields === null ? [] : [{ operation, status, fields }];
    });
}

/** Whether a refusal was planned. Pure. */
export const isMeant = (refusal: Refusal, { operation, status, fields }: MeantRefusal): boolean =>
  refusal.operation === operation &&
  refusal.status === status &&
  fields.every((field) => refusal.fields.includes(field));
