import pino, { type DestinationStream, type Logger } from 'pino';

/** Fields that may be logged with their value; people's data is in none of them. */
const ALLOWED = new Set([
  ...['level', 'time', 'pid', 'hostname', 'part', 'msg', 'err', 'error', 'reason'],
  ...['account', 'orderId', 'workflowId', 'runId', 'listingId', 'eventId', 'eventType', 'activityType'],
  ...['integration', 'since'],
  ...['taskQueue', 'status', 'method', 'route', 'ms', 'count', 'port', 'address', 'attempt', 'durationMs'],
]);

/** Of an error only these: libraries put the bytes of an answer, or a whole request, into fields of their errors. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause instanceof Error ? { cause: cause.message } : {}) };
}

/**
 * A logger that writes JSON lines and drops every field that is not on the list above.
 * @param destination standard error, unless it is said otherwise
 */
export function createLog(
  part: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { part },
      serializers: { err: errorFields, error: errorFields },
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name))),
      },
    },
    destination,
  );
}
