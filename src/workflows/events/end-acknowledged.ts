import type { EndAcknowledgedInput } from '../../contract/workflow-input';

/**
 * Records that a person has handled a shipment that Temporal ended. A closed workflow takes no message, so a separate
 * workflow records it. Its existence is the record, even when no worker runs.
 */
export async function endAcknowledged({ by, reason }: EndAcknowledgedInput): Promise<string> {
  return await Promise.resolve(`${by}: ${reason}`);
}
