import pino, { type Logger } from 'pino';

/** Fields that may be logged with their value; people's data is in none of them. */
const ALLOWED = new Set([
  ...['level', 'time', 'pid', 'hostname', 'part', 'msg', 'err', 'error', 'reason'],
  ...['account', 'orderId', 'workflowId', 'runId', 'listingId', 'eventId', 'eventType', 'activityType'],
  ...['integration', 'since'],
  ...['taskQueue', 'status', 'method', 'route', 'ms', 'count', 'port', 'address', 'attempt', 'durationMs'],
]);

/** A logger that writes JSON lines to standard error and drops every field that is not on the list above. */
export function createLog(part: string, level: string): Logger {
  return pino(
    {
      level,
      base: { part },
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name))),
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
