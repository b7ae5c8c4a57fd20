import { DefaultFailureConverter } from '@temporalio/common';

/** The workflow bundle has `as text` here, unless its worker encrypts: one bundle serves both. */
const FAILURES: string = 'failures as payloads';

/**
 * Puts the message and stack of a failure into a payload, where the codec encrypts them. It is loaded by its path, also
 * into the workflow bundle, so it imports nothing of Node.
 */
export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: FAILURES.endsWith('payloads'),
});
