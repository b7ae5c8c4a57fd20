import type { Phase } from '../src/domain/shipment-state';
import type { ShipmentSummary } from '../src/starter/client/list-shipments';

/** The phases for people, in their order. */
export const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  validating: 'validating',
  quoting: 'quoting',
  listing: 'listing',
  awaitingBooking: 'awaiting booking',
  collectingRates: 'collecting rates',
  accepting: 'accepting',
  booked: 'booked',
  inTransit: 'in transit',
  delivered: 'delivered',
  settled: 'settled',
  cancelled: 'cancelled',
};

const isPhase = (name: string): name is Phase => name in PHASE_NAMES;

/** The phase of an open shipment; how any other ended. */
export function phaseOf({ status, phase }: Pick<ShipmentSummary, 'status' | 'phase'>): string {
  if (status === 'RUNNING' || status === 'COMPLETED')
    return phase !== null && isPhase(phase) ? PHASE_NAMES[phase] : (phase ?? 'running');
  return status.toLowerCase().replaceAll('_', ' ');
}
