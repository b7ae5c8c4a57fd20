import type { EndAcknowledgedInput } from '../../contract/workflow-input';

/**
 * Keeps that a person has seen to a shipment which Temporal ended. A closed workflow takes no message, so this one
 * stands beside it; that it exists is the record, whether a worker runs or not.
 */
export async function endAcknowledged({ by, reason }: EndAcknowledgedInput): Promise<string> {
  return await Promise.resolve(`${by}: ${reason}`);
}
