import { ApplicationFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../../domain/bounds';
import { refusalOf, type Refusal } from '../../domain/call-failure';
import { FailureType } from '../../domain/failure-type';

/**
 * Ends the workflow as failed. Only where it is certain that nothing is booked.
 * @param call what the marketplace refused; null where it was not asked
 */
export function failedBeforeBooking(reason: string, call: Refusal | null): ApplicationFailure {
  return ApplicationFailure.create({
    message: cutText(reason, TEXT_BYTES.failure),
    type: FailureType.FailedBeforeBooking,
    nonRetryable: true,
    details: call === null ? [] : [refusalOf(call)],
  });
}
