import type { Operation, ScriptedFault } from '../sandbox';

type Fault = Pick<
  ScriptedFault,
  'reference' | 'endpoint' | 'kind' | 'status' | 'field' | 'hits' | 'encoding' | 'contentType'
>;

/** The requests that may end an order before anything of it exists, as a failure names them. */
const FIRST_REQUESTS: Partial<Record<Operation | '*', string>> = {
  createListing: 'POST /v2/listings',
  createRateRequest: 'POST /v2/raterequests',
};

/** Of these statuses nothing is to be learnt about the order: it is asked again, in doubt, or the account's trouble. */
const NO_REFUSALS = new Set([401, 403, 408, 409, 425, 429]);

/** Bytes that nobody can decode, and pages of a gateway, are no word of the marketplace: such a refusal is a doubt. */
const isUnreadable = ({ encoding, contentType }: Fault): boolean =>
  encoding === 'broken' || contentType?.includes('html') === true;

/** What a failure tells of the sandbox's answer beside its status; null for a fault that does not refuse the order. */
function partsOf(fault: Fault): readonly string[] | null {
  const { kind, status = 400, field = 'title' } = fault;
  if (isUnreadable(fault)) return null;
  if (kind === 'fieldError') return [` ${field}`];
  if (kind === 'duplicate') return ['it speaks of something that exists already'];
  const isRefusal = status >= 400 && status < 500 && !NO_REFUSALS.has(status);
  return kind === 'status' && isRefusal ? [] : null;
}

/** A refusal that the marketplace was told to make, and made: what the reason of an order that fails by it contains. */
export type Refusal = readonly string[];

/** The refusals that may end an order before it is booked. Pure. */
export function refusalsOf(reference: string, faults: readonly Fault[]): readonly Refusal[] {
  return faults
    .filter((fault) => fault.reference === reference && fault.hits > 0)
    .flatMap((fault) => {
      const [request, parts] = [FIRST_REQUESTS[fault.endpoint], partsOf(fault)];
      return request === undefined || parts === null
        ? []
        : [[`${request} answered ${fault.status ?? 400}`, ...parts]];
    });
}
