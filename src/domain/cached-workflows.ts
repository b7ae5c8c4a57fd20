const MB = 1024 * 1024;
/** Heap that the SDK and the workflow code take before the first shipment. */
const BASE_MB = 200;
/** An open shipment takes about half of this; the rest is garbage of many tasks at once, until it is collected. */
const MB_EACH = 0.5;
const LEAST = 10;

/**
 * How many workflows fit into a worker's memory. A workflow that is not cached replays its whole history for its next
 * event. So a cache that is smaller than the number of open shipments costs more than it saves.
 * @param heapBytes V8's heap limit, which Node.js derives from the memory of the machine or container
 */
export const cachedWorkflowsIn = (heapBytes: number): number =>
  Math.max(LEAST, Math.floor((heapBytes / MB - BASE_MB) / MB_EACH));
