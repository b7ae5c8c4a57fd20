import type { Refusal } from '../src/domain/call-failure';
import type { Operation, ScriptedFault } from '../sandbox';

type Fault = Pick<
  ScriptedFault,
  'reference' | 'endpoint' | 'kind' | 'status' | 'field' | 'hits' | 'encoding' | 'contentType'
>;

/** The requests that may end an order before anything of it exists. */
const FIRST_REQUESTS: ReadonlySet<Operation | '*'> = new Set(['createListing', 'createRateRequest'] as const);

/** Of these statuses nothing is to be learnt about the order: it is asked again, in doubt, or the account's trouble. */
const NO_REFUSALS = new Set([401, 403, 408, 409, 425, 429]);

/** Bytes that nobody can decode, and pages of a gateway, are no word of the marketplace: such a refusal is a doubt. */
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

/** A refusal that the marketplace was told to make, and made. */
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

/** Whether a refusal is one that was meant. Pure. */
export const isMeant = (refusal: Refusal, { operation, status, fields }: MeantRefusal): boolean =>
  refusal.operation === operation &&
  refusal.status === status &&
  fields.every((field) => refusal.fields.includes(field));
