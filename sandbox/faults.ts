import { z } from 'zod';
import { encodings } from './answer-bytes';
import { operations, type Operation } from './operations';

export const faultKinds = [
  'status',
  'statusAfter',
  'delay',
  'delayBefore',
  'hangUpBefore',
  'hangUpAfter',
  'resetBefore',
  'resetAfter',
  'truncate',
  'stall',
  'garbage',
  'unreadable',
  'noLocation',
  'foreignLocation',
  'otherLocation',
  'outage',
  'falseAbsence',
  'ipRefused',
  'suspended',
  'cardDeclined',
  'cardExpired',
  'fieldError',
  'duplicate',
  'bookBefore',
] as const;

export const faultSchema = z
  .strictObject({
    endpoint: z.enum([...operations, '*']),
    kind: z.enum(faultKinds),
    /** How many requests it hits; without it, every one until the faults are deleted. */
    times: z.int().positive().optional(),
    /** How many matching requests pass before the first hit. */
    after: z.int().nonnegative().default(0),
    /** Only requests whose path or body contains this text, for instance an order reference. */
    match: z.string().min(1).optional(),
    /** Only requests about the order of this reference, also those that name it by a listing or a rate only. */
    reference: z.string().min(1).optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
    /** Of the answer; a type of HTML without a body makes the answer a page. */
    contentType: z.string().min(1).optional(),
    /** How the answer is compressed, whatever the request accepts. */
    encoding: z.enum(encodings).optional(),
    delayMs: z.number().nonnegative().optional(),
    /** The fault ends by itself so long after it was added, in real time. */
    forMs: z.number().positive().optional(),
    /** Seconds of the `Retry-After` header. */
    retryAfter: z.int().nonnegative().optional(),
    retryAfterForm: z.enum(['seconds', 'date']).optional(),
    /** Code and field of the entry in the error body, where the kind has one. */
    code: z.int().min(40_000).max(50_000).optional(),
    field: z.string().min(1).optional(),
  })
  .superRefine((fault, issues) => {
    if (fault.kind.startsWith('status') && fault.status === undefined)
      issues.addIssue(`a fault of kind ${fault.kind} needs a status`);
    if (fault.kind.startsWith('delay') && fault.delayMs === undefined)
      issues.addIssue(`a fault of kind ${fault.kind} needs delayMs`);
  });

export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.infer<typeof faultSchema>;

export interface ScriptedFault extends Fault {
  readonly id: number;
  readonly addedAt: number;
  seen: number;
  hits: number;
}

/** What a fault may be aimed at; the reference is that of the order which the request is about. */
interface FaultTarget {
  readonly path: string;
  readonly body: unknown;
  readonly reference: string;
}

/** Scripted trouble, used up in the order it was added. */
export class Faults {
  #faults: ScriptedFault[] = [];
  #lastId = 0;

  add(input: FaultInput): ScriptedFault {
    const fault = { ...faultSchema.parse(input), id: ++this.#lastId, addedAt: Date.now(), seen: 0, hits: 0 };
    this.#faults.push(fault);
    return fault;
  }

  list(): readonly ScriptedFault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }

  /** The first fault that hits this request; each fault before it counts the request as seen. */
  take(operation: Operation, request: FaultTarget): ScriptedFault | undefined {
    for (const fault of this.#faults) {
      if (!isAimedAt(fault, operation, request) || isOver(fault)) continue;
      fault.seen += 1;
      if (fault.seen <= fault.after || (fault.times !== undefined && fault.hits >= fault.times)) continue;
      fault.hits += 1;
      return fault;
    }
    return undefined;
  }
}

const isOver = ({ forMs, addedAt }: ScriptedFault): boolean =>
  forMs !== undefined && Date.now() - addedAt >= forMs;

function isAimedAt(fault: Fault, operation: Operation, request: FaultTarget): boolean {
  if (fault.endpoint !== '*' && fault.endpoint !== operation) return false;
  if (fault.reference !== undefined && fault.reference !== request.reference) return false;
  if (fault.match === undefined) return true;
  return request.path.includes(fault.match) || JSON.stringify(request.body ?? null).includes(fault.match);
}
