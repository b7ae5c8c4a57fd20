import { UserError, type UserErrorOptions } from '../../platform/user-error';
import { commandLines } from '../../domain/command-lines';
import type { Problem } from '../../orders/problem';
import type { OrderKey } from '../../domain/workflow-id';
import type { PlacedProblem } from '../../orders/order-rows';

/** Thrown when no shipment has this account and order id. */
export class ShipmentNotFoundError extends UserError {
  override readonly name = 'ShipmentNotFoundError';
  override readonly kind = 'notFound';
}

export function notFound({ account, orderId }: OrderKey): ShipmentNotFoundError {
  return new ShipmentNotFoundError(`No shipment ${account}/${orderId}.`, {
    hint: `Check the account and the order id; \`${commandLines.list()}\` lists the orders.`,
  });
}

export function noNotifications({ account, orderId }: OrderKey): ShipmentNotFoundError {
  return new ShipmentNotFoundError(`No notifications of ${account}/${orderId}.`, {
    hint: 'Consign notifies the endpoints of orders that were started after their account had `notifications`.',
  });
}

/**
 * Thrown when an order document or its images are invalid. Nothing was started. The message names the places only,
 * because the problems quote the document.
 */
export class InvalidOrderError extends UserError {
  override readonly name = 'InvalidOrderError';
  override readonly kind = 'invalidOrder';

  constructor(
    /** Where the order was read from; `-` for standard input, a text, and a document in memory. */
    readonly file: string,
    /** All of them. */
    readonly problems: readonly Problem[],
    readonly warnings: readonly Problem[] = [],
  ) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`${file}: ${count} (${problems.map(({ path }) => path).join(', ')}).`);
  }
}

/**
 * Thrown when a file with many orders cannot be read as rows: its encoding, its quotation marks, or its header. Nothing
 * was started. The message names the places only, because the problems quote the file.
 */
export class InvalidImportError extends UserError {
  override readonly name = 'InvalidImportError';
  override readonly kind = 'invalidOrder';

  constructor(
    /** Where the orders were read from; `-` for standard input and a text. */
    readonly file: string,
    /** All of them. */
    readonly problems: readonly PlacedProblem[],
  ) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const places = problems.map(({ line, column }) =>
      column === null ? `line ${line}` : `${line}:${column}`,
    );
    super(`${file}: ${count} (${places.join(', ')}).`);
  }
}

/** Thrown when an idempotency key came with another request before. Nothing was started. */
export class KeyReusedError extends UserError {
  override readonly name = 'KeyReusedError';
  override readonly kind = 'keyReused';
}

/** Thrown when the shipment or its account refuses a request; the message has its reason. */
export class RefusedError extends UserError {
  override readonly name = 'RefusedError';
  override readonly kind = 'refused';
}

/** Thrown when the answered question is closed, or another one is open. Read the open question before you answer it. */
export class StaleQuestionError extends UserError {
  override readonly name = 'StaleQuestionError';
  override readonly kind = 'staleQuestion';
}

/** Thrown when an answer names no question, and none is open. */
export class NoQuestionError extends UserError {
  override readonly name = 'NoQuestionError';
  override readonly kind = 'noQuestion';
}

/** Thrown when the shipment has ended: there is nothing to answer, to withdraw or to request. */
export class ShipmentEndedError extends UserError {
  override readonly name = 'ShipmentEndedError';
  override readonly kind = 'ended';
}

/** Thrown when the order has no late event and no unclear end that needs a person. */
export class NothingToAcknowledgeError extends UserError {
  override readonly name = 'NothingToAcknowledgeError';
  override readonly kind = 'nothingToAcknowledge';
}

/** Thrown when several listings of the order need a person, and the request names none of them. */
export class SeveralListingsError extends UserError {
  override readonly name = 'SeveralListingsError';
  override readonly kind = 'severalListings';

  constructor(readonly listingIds: readonly (string | null)[]) {
    const ids = listingIds.map((id) => id ?? 'none').join(', ');
    super(`Several listings need a person; choose one with --listing: ${ids}.`);
  }
}

/** Thrown when the shipment failed, or when Temporal cancelled or ended it. */
export class ShipmentFailedError extends UserError {
  override readonly name = 'ShipmentFailedError';
  override readonly kind = 'failed';

  constructor(
    message: string,
    /** Type of the failure, such as `FailedBeforeBooking`; null when Temporal ended the shipment. */
    readonly failureType: string | null,
    options: UserErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown when Temporal did not confirm a request in time. It may still be applied, and is safe to repeat. */
export class NotConfirmedError extends UserError {
  override readonly name = 'NotConfirmedError';
  override readonly kind = 'notConfirmed';

  constructor(
    message: string,
    /** The question of an answer: name it when you repeat the answer, because a later question may be open by then. */
    readonly questionId: string | null,
    options: UserErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown when no worker takes the tasks: none runs, or none for this account. */
export class NoWorkerError extends UserError {
  override readonly name = 'NoWorkerError';
  override readonly kind = 'noWorker';
}

/** No worker answers a question about this workflow. */
export function noWorkerAnswers(workflowId: string, hint = 'Start one, then try again.'): NoWorkerError {
  return new NoWorkerError(`No worker answers for ${workflowId}.`, { hint });
}

/** Thrown when the marketplace, or the worker that asked it, did not answer. */
export class NoAnswerError extends UserError {
  override readonly name = 'NoAnswerError';
  override readonly kind = 'noAnswer';
}

/** Thrown when Temporal refuses a request, such as a filter that it cannot parse. */
export class TemporalRefusedError extends UserError {
  override readonly name = 'TemporalRefusedError';
  override readonly kind = 'temporalRefused';
}
