import { ApplicationFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../../domain/bounds';
import { refusalOf, type Refusal } from '../../domain/call-failure';
import { FailureType } from '../../domain/failure-type';

/**
 * Ends the workflow as failed. Only for use when nothing can be booked.
 * @param call the refused call; null when the marketplace was not asked
 */
export function failedBeforeBooking(reason: string, call: Refusal | null): ApplicationFailure {
  return ApplicationFailure.create({
    message: cutText(reason, TEXT_BYTES.failure),
    type: FailureType.FailedBeforeBooking,
    nonRetryable: true,
    details: call === null ? [] : [refusalOf(call)],
  });
}
