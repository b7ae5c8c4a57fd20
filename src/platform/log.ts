import pino, { type DestinationStream, type Logger } from 'pino';

/** Fields that may be logged with their value. None contains people's data. */
const ALLOWED = new Set([
  ...['level', 'time', 'pid', 'hostname', 'part', 'msg', 'err', 'error', 'reason'],
  ...['account', 'orderId', 'workflowId', 'runId', 'listingId', 'eventId', 'eventType', 'activityType'],
  ...['integration', 'since', 'traceId'],
  ...['taskQueue', 'status', 'method', 'route', 'ms', 'count', 'port', 'address', 'attempt', 'durationMs'],
]);

/** The only fields of an error that are logged: libraries put response bytes or whole requests into other fields. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause instanceof Error ? { cause: cause.message } : {}) };
}

/**
 * A logger that writes JSON lines and drops every field that is not on the list above.
 * @param destination default: standard error
 * @param fieldsOfEach fields that each line gets
 */
export function createLog(
  part: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
  fieldsOfEach?: () => object,
): Logger {
  return pino(
    {
      level,
      base: { part },
      ...(fieldsOfEach === undefined ? {} : { mixin: fieldsOfEach }),
      serializers: { err: errorFields, error: errorFields },
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name))),
      },
    },
    destination,
  );
}
