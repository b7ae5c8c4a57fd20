import { ApplicationFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../domain/bounds';
import { FailureType } from '../domain/failure-type';

/** Ends the workflow as failed. Only where it is certain that nothing is booked. */
export function failedBeforeBooking(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    cutText(reason, TEXT_BYTES.failure),
    FailureType.FailedBeforeBooking,
  );
}
