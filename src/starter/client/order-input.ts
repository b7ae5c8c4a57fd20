import type { ShipmentPolicy } from '../../domain/policy';
import type { Shipment } from '../../domain/shipment';
import type { OrderRecord } from './order-record';

/** The order that a workflow works with. */
export interface KeptOrder {
  readonly shipment: Shipment;
  readonly policy: ShipmentPolicy;
}

/** What the workflow was started with. A run that continues an earlier one carries the order as it was by then. */
interface Input extends KeptOrder {
  readonly carried?: { readonly order: KeptOrder };
}

/** The input of the last run, as the workflow's own code wrote it; null when it cannot be decoded. */
export async function orderInput({
  runs,
  payloads,
}: Pick<OrderRecord, 'runs' | 'payloads'>): Promise<KeptOrder | null> {
  const started = runs.at(-1)?.[0]?.workflowExecutionStartedEventAttributes;
  const input = await payloads.readFirst(started?.input);
  return isInput(input) ? (input.carried?.order ?? input) : null;
}

const isInput = (input: unknown): input is Input =>
  typeof input === 'object' && input !== null && 'shipment' in input && 'policy' in input;
