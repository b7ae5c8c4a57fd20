import { refuseAmendment, type AmendmentInput, type AmendmentReport } from '../domain/amendment';
import type { ShipmentRun } from './shipment-run';

export type AmendmentEnd = Omit<AmendmentReport, 'at'>;

/** Why the change cannot be taken now; null when it can. */
export function refuseToAmend(run: ShipmentRun, input: AmendmentInput): string | null {
  const { shipment, policy } = run.input;
  const isWithdrawn = run.withdrawal !== null;
  const isAmending = run.amendment !== null;
  return refuseAmendment(run.state, { shipment, policy, isAmending, isWithdrawn, now: run.now() }, input);
}

/** Records that the listing is to become what another document says. */
export function amendLater(run: ShipmentRun, { by, reason, ...revision }: AmendmentInput): void {
  const { shipment, policy, documentHash } = revision;
  run.amendment = {
    ...{ revision: { shipment, policy, documentHash }, fixedPrice: null },
    ...{ wasSent: false, isPutOff: false },
  };
  reportAmendment(run, { status: 'underWay', what: `${by} changes the listing: ${reason}` });
}

export function reportAmendment(run: ShipmentRun, end: AmendmentEnd): void {
  run.state = { ...run.state, amendment: { at: run.now(), ...end } };
  if (end.status === 'refused') run.notice(end.what);
  else run.note(end.what);
  run.publish();
}
