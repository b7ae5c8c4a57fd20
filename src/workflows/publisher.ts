import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { ShipmentPolicy } from '../domain/policy';
import type { ShipmentState } from '../domain/shipment-state';
import { currentDetails, searchAttributePairs, waitingMemo } from './presentation';

/** Shows a state where people look: search attributes, memo and current details of Temporal's web UI. */
export class Publisher {
  private readonly attributes = new Map<string, unknown>();
  private memo = '';
  private details = '';

  /** Writes only what is another than what was shown last. */
  show(state: ShipmentState, policy: ShipmentPolicy): void {
    const pairs = searchAttributePairs(state).filter(
      ({ key, value }) => (this.attributes.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of pairs) this.attributes.set(key.name, value);
    if (pairs.length > 0) upsertSearchAttributes(pairs);
    const memo = waitingMemo(state, policy);
    if (memo !== this.memo) upsertMemo({ waitingFor: memo });
    const details = currentDetails(state, policy);
    if (details !== this.details) setCurrentDetails(details);
    this.memo = memo;
    this.details = details;
  }
}
