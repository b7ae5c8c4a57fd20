import type { SandboxClock } from './clock';
import { ApiProblem, unreachable } from './errors';
import type { ShipmentLife } from './life';
import { isLiveBooking } from './references';
import type { Listing } from './state';
import type { MishapKind, MishapOutcome } from './mishap-kinds';

interface Parts {
  readonly clock: SandboxClock;
  readonly life: ShipmentLife;
}

/** What becomes of shipments apart from being moved and delivered, by hand or as the switch `mishap` plans it. */
export class Mishaps {
  constructor(private readonly parts: Parts) {
    parts.life.whenBooked((listing) => this.#plan(listing));
    parts.life.whenUntaken((listing) => {
      if (listing.mishap !== undefined) this.happen(listing, listing.mishap.kind, listing.mishap.outcome);
    });
  }

  /** Makes it happen now. A 409 refuses what needs a booking that has not ended. */
  happen(listing: Listing, kind: MishapKind, outcome: MishapOutcome): void {
    if (kind === 'carrierCancels' || kind === 'noShow' || kind === 'shipperCancels')
      requireBooking(listing, kind);
    listing.mishaps.push(kind);
    const { life } = this.parts;
    switch (kind) {
      case 'carrierCancels':
      case 'noShow':
        this.#leave(listing, outcome);
        return;
      case 'shipperCancels':
        life.setStatus(listing, 'Cancelled');
        return;
      case 'hold':
        life.setStatus(listing, 'OnHold');
        return;
      case 'resume':
        life.setStatus(listing, isLiveBooking(listing) ? 'Booked' : 'Active');
        return;
      case 'close':
        life.setStatus(listing, 'Closed');
        return;
      case 'expire':
        life.setStatus(listing, 'Expired');
        return;
      case 'relist':
        life.setStatus(listing, 'Expired');
        life.later('relisted', listing, () => this.#relist(listing, outcome));
        return;
      case 'reactivate':
        this.#relist(listing, outcome);
        return;
      default:
        unreachable(kind);
    }
  }

  #relist(listing: Listing, outcome: MishapOutcome): void {
    this.#leave(listing, outcome === 'Rebooked' ? 'Rebooked' : 'Active');
  }

  #leave(listing: Listing, outcome: MishapOutcome): void {
    this.parts.life.setStatus(listing, outcome === 'Cancelled' ? 'Cancelled' : 'Active');
    if (outcome === 'Rebooked') this.parts.life.publish(listing);
  }

  /** Only the first booking of a listing meets what was planned, so that a second one gets through. */
  #plan(listing: Listing): void {
    const { mishap, counts } = listing;
    if (mishap === undefined || counts.booked !== 1 || listing.isMishapOver === true) return;
    const step = mishap.kind === 'noShow' ? 'pickupDayPasses' : 'mishap';
    this.parts.clock.after(step, () => {
      if (counts.booked === 1 && isLiveBooking(listing) && listing.completedOn === undefined)
        this.happen(listing, mishap.kind, mishap.outcome);
    });
  }
}

function requireBooking(listing: Listing, kind: MishapKind): void {
  if (!isLiveBooking(listing) || listing.completedOn !== undefined)
    throw new ApiProblem(409, `${kind} needs a listing that is booked and not completed.`);
}
