import { after } from './calendar';
import { cutText, namesOf, TEXT_BYTES } from './bounds';
import { unreadIds } from './candidates';
import { checkableAnswers } from './believe-gone';
import { answerLines, commandLines } from './command-lines';
import { deliveryEnds } from './delivery-days';
import { formatMoney } from './money';
import { pickupEnds } from './pickup';
import type { ShipmentPolicy } from './policy';
import { questionText } from './question';
import type { IsoInstant, Shipment } from './shipment';
import type { ShipmentState } from './shipment-state';

/**
 * What a shipment waits for, in words for someone who does not know the order. The memo `waitingFor` shows the same.
 */
export interface Waiting {
  readonly what: string;
  readonly since: IsoInstant | null;
  readonly until: IsoInstant | null;
  /** What a person may do in the meantime. */
  readonly mayDo: string;
}

/** Includes the next quick step: the text is written at the start, and not again for each step. */
const CHECK = {
  furniture: 'the check of the order, and its fixed price',
  ltl: 'the check of the order, and its rate request',
} as const;

/** @returns null when the shipment is over */
export function describeWaiting(
  state: ShipmentState,
  { shipment, policy }: { readonly shipment: Shipment; readonly policy: ShipmentPolicy },
): Waiting | null {
  const since = state.phaseSince;
  const mayCancel = `nothing to do; \`${commandLines.cancel(state)}\` withdraws the order`;
  if (state.question !== null) {
    const { id } = state.question;
    const lines = answerLines(state, state.question, checkableAnswers(state)).map((line) => `\`${line}\``);
    const mayDo = `answer question ${id} with one of: ${lines.join(', ')}`;
    return {
      what: `a person: ${questionText(state.question)}`,
      since: state.question.since,
      until: null,
      mayDo,
    };
  }
  if (state.pause !== null) {
    const { reason } = state.pause;
    const mayDo = `fix the account, then run \`${commandLines.retryAccount(state.account)}\``;
    return { what: `account ${state.account}: ${reason}`, since: state.pause.since, until: null, mayDo };
  }
  if (state.unreadable !== null && 'listingId' in state.at) {
    const { reason, since: unreadableSince } = state.unreadable;
    const what = `listing ${state.at.listingId} to be readable (${reason})`;
    return { what, since: unreadableSince, until: null, mayDo: 'look it up at the marketplace' };
  }
  switch (state.at.phase) {
    case 'validating':
      return { what: CHECK[state.kind], since, until: null, mayDo: mayCancel };
    case 'quoting':
      return { what: 'the fixed price', since, until: null, mayDo: mayCancel };
    case 'listing':
      return { what: 'the marketplace to take the listing', since, until: null, mayDo: mayCancel };
    case 'awaitingBooking':
      return {
        what: `a carrier to book listing ${state.at.listingId}${pendingRequest(state)}`,
        since,
        until: state.listing?.expiresOn ?? null,
        mayDo: mayCancel,
      };
    case 'collectingRates': {
      const requestedAt = state.at.request?.requestedAt ?? null;
      const until = requestedAt === null ? null : after(requestedAt, policy.rates.maximumWaitMs);
      return { what: 'rates of carriers', since: requestedAt, until, mayDo: mayCancel };
    }
    case 'accepting': {
      const { rate, pending } = state.at;
      return {
        what: `${rate.carrier.displayName} to accept at ${formatMoney(rate.totalPrice)}`,
        since: pending?.since ?? since,
        until: pending === null ? null : after(pending.since, policy.acceptance.windowMs),
        mayDo: 'nothing to do; the carrier has up to a business day',
      };
    }
    case 'booked':
      return { what: 'the carrier to pick up', since, until: pickupEnds(shipment), mayDo: onWeb(state) };
    case 'inTransit':
      return { what: 'the delivery', since, until: deliveryEnds(shipment, state), mayDo: onWeb(state) };
    case 'delivered':
      if (state.at.readsOnSince !== null && unreadIds(state).length > 0)
        return {
          what: `listing ${namesOf(unreadIds(state))} to be readable, which an event named`,
          since: state.at.readsOnSince,
          until: after(state.at.readsOnSince, policy.documentWindowMs),
          mayDo: 'see at the marketplace whether it is a second booking of this order',
        };
      return {
        what: 'corrections of the price',
        since: state.at.deliveredAt,
        until: after(state.at.deliveredAt, policy.settlementWindowMs),
        mayDo: 'dispute a wrong price with the marketplace',
      };
    default:
      return null;
  }
}

/** A carrier has up to a business day to answer its booking request; until then the listing is practically taken. */
function pendingRequest({ listing }: ShipmentState): string {
  return listing?.hasPendingBookingRequest === true
    ? ' (a carrier asked to book it, and has up to a business day)'
    : '';
}

function onWeb(state: ShipmentState): string {
  const { listing } = state;
  return (listing?.cancellationLink ?? null) === null
    ? 'nothing to do'
    : `nothing to do; \`${commandLines.show(state)}\` has the link that cancels the booking`;
}

/**
 * What the shipment waits for, without date and possible actions, for one column of a list. The memo `waitsFor` shows
 * the same.
 */
export const waitColumn = (waiting: Waiting | null): string =>
  cutText(waiting?.what ?? 'nothing', TEXT_BYTES.wait);

/** The line that the memo and the CLI show. */
export function waitingLine(waiting: Waiting | null): string {
  if (waiting === null) return 'nothing';
  const since = waiting.since === null ? '' : ` since ${waiting.since}`;
  const until = waiting.until === null ? '' : ` until ${waiting.until}`;
  return `${waiting.what}${since}${until}; ${waiting.mayDo}`;
}
