const MB = 1024 * 1024;
/** What the SDK and the code of the workflows take of a heap before the first shipment. */
const BASE_MB = 200;
/** An open shipment takes about half of it; the rest is for what many tasks at once leave to be collected. */
const MB_EACH = 0.5;
const LEAST = 10;

/**
 * How many workflows fit into the memory of a worker. One that is not in memory is replayed from its whole history for its
 * next event, so that a cache smaller than the number of open shipments costs more than it saves.
 * @param heapBytes the limit of V8's heap, which Node.js takes from the memory of the machine or container
 */
export const cachedWorkflowsIn = (heapBytes: number): number =>
  Math.max(LEAST, Math.floor((heapBytes / MB - BASE_MB) / MB_EACH));
