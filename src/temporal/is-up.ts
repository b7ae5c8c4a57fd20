import type { Client } from '@temporalio/client';
import { messageOf } from '../platform/message-of';

const DEADLINE_MS = 2_000;

/** Whether Temporal answers now. @param onDown receives why it does not */
export async function isTemporalUp(client: Client, onDown: (reason: string) => void): Promise<boolean> {
  try {
    await client.withDeadline(
      Date.now() + DEADLINE_MS,
      async () => await client.workflowService.getSystemInfo({}),
    );
    return true;
  } catch (error) {
    onDown(messageOf(error));
    return false;
  }
}
