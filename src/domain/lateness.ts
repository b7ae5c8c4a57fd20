import { addWarning } from './bounded-state';
import { after } from './calendar';
import { deliveryEnds } from './delivery-days';
import { pickupEnds } from './pickup';
import type { ShipmentPolicy } from './policy';
import type { IsoInstant, Shipment } from './shipment';
import { addTimeline, type ShipmentState } from './shipment-state';

/**
 * `unbooked`: no carrier has booked the listing, and the last pickup day is ending. `notPickedUp`: the last pickup day
 * is over. `notDelivered`: the last delivery day is over. `silent`: nothing was heard of the truck for long.
 */
export const LATENESS_KINDS = ['unbooked', 'notPickedUp', 'notDelivered', 'silent'] as const;
/** What a shipment can be late with. */
export type LatenessKind = (typeof LATENESS_KINDS)[number];

/** What a shipment is late with. */
export interface Lateness {
  readonly kind: LatenessKind;
  readonly since: IsoInstant;
  /** A person knows of it, or the policy does not ask about it. */
  readonly isSeen: boolean;
}

/** The order's days, the rules, and the time. */
export interface LatenessMoment {
  readonly shipment: Shipment;
  readonly policy: Pick<ShipmentPolicy, 'lateness'>;
  readonly now: IsoInstant;
}

type LateAt = Pick<Lateness, 'kind' | 'since'>;

/** With what, and from when on, the shipment is late unless something happens; the worst first. */
function lateFrom(
  state: ShipmentState,
  { shipment, policy: { lateness } }: Omit<LatenessMoment, 'now'>,
): readonly LateAt[] {
  const { at, phaseSince, heardAt } = state;
  switch (at.phase) {
    case 'awaitingBooking':
      return [{ kind: 'unbooked', since: after(pickupEnds(shipment), -lateness.unbookedMs) }];
    case 'booked':
      return [{ kind: 'notPickedUp', since: after(pickupEnds(shipment), lateness.pickupMs) }];
    case 'inTransit': {
      const ends = deliveryEnds(shipment, state);
      const heard = heardAt ?? phaseSince;
      return [
        ...(ends === null
          ? []
          : [{ kind: 'notDelivered' as const, since: after(ends, lateness.deliveryMs) }]),
        ...(heard === null ? [] : [{ kind: 'silent' as const, since: after(heard, lateness.silenceMs) }]),
      ];
    }
    default:
      return [];
  }
}

const isDue = ({ since }: LateAt, now: IsoInstant): boolean => Date.parse(since) <= Date.parse(now);

/** When the shipment is late with something next; null when that cannot happen in its phase. */
export function nextLateAt(state: ShipmentState, moment: LatenessMoment): IsoInstant | null {
  const [first = null] = lateFrom(state, moment)
    .filter((late) => !isDue(late, moment.now))
    .map(({ since }) => since)
    .toSorted();
  return first;
}

const TOLD: Readonly<Record<LatenessKind, string>> = {
  unbooked: 'no carrier has booked the listing, and the last pickup day is ending',
  notPickedUp: 'the goods are not picked up, and the last pickup day is over',
  notDelivered: 'the goods are not delivered, and the last delivery day is over',
  silent: 'nothing was heard of the truck since its last position or status',
};

/** For people. */
export const latenessText = ({ kind, since }: LateAt): string => `${TOLD[kind]} (late since ${since})`;

/**
 * Notes what the shipment is late with, once for each delay: as a question or as a notice, whichever the policy says.
 * Forgets it when the delay is over.
 */
export function applyLateness(state: ShipmentState, moment: LatenessMoment): ShipmentState {
  const { now, policy } = moment;
  const due = lateFrom(state, moment).find((late) => isDue(late, now));
  if (due === undefined) return state.late === null ? state : { ...state, late: null };
  if (state.late?.kind === due.kind) return state;
  const isAsked = policy.lateness.ask.includes(due.kind);
  const text = latenessText(due);
  const told = addTimeline(isAsked ? state : addWarning(state, text), now, text);
  return { ...told, late: { ...due, isSeen: !isAsked } };
}
