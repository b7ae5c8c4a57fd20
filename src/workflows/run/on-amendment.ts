import { refuseAmendment, type AmendmentInput, type AmendmentReport } from '../../domain/amendment';
import type { ShipmentRun } from './shipment-run';
import { followedListing } from '../../domain/shipment-state';

export type AmendmentEnd = Omit<AmendmentReport, 'at'>;

/** Why the change cannot be accepted now; null when it can. */
export function refuseToAmend(run: ShipmentRun, input: AmendmentInput): string | null {
  const { shipment, policy } = run.input;
  const isWithdrawn = run.withdrawal.statement !== null;
  const isAmending = run.amendment !== null;
  return refuseAmendment(run.state, { shipment, policy, isAmending, isWithdrawn, now: run.now() }, input);
}

/** Records a change of the listing to match another document. */
export function amendLater(run: ShipmentRun, { by, reason, ...revision }: AmendmentInput): void {
  const { shipment, policy, documentHash } = revision;
  const listingId = followedListing(run.state);
  if (listingId === null) throw new TypeError('there is no listing to change');
  run.amendment = {
    listingId,
    revision: { shipment, policy, documentHash },
    ...{ fixedPrice: null, wasSent: false, isPutOff: false },
  };
  reportAmendment(run, { status: 'underWay', what: `${by} changes the listing: ${reason}` });
}

/** Drops a change whose listing the order has left: the next listing comes from the unchanged order. */
export function endAmendmentOfLeft(run: ShipmentRun): void {
  const { amendment, state } = run;
  if (amendment === null) return;
  const { listingId } = amendment;
  if (followedListing(state) === listingId) return;
  run.amendment = null;
  reportAmendment(run, {
    status: 'refused',
    what: `not changed: the order has left listing ${listingId}, which the change was for`,
  });
}

export function reportAmendment(run: ShipmentRun, end: AmendmentEnd): void {
  run.update({ amendment: { at: run.now(), ...end } });
  if (end.status === 'refused') run.addWarning(end.what);
  else run.addTimeline(end.what);
  run.publish();
}
