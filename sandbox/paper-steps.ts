import type { ClockStep, SandboxClock } from './clock';
import type { Paperwork } from './paperwork';
import { isLiveBooking } from './references';
import type { Listing } from './state';
import { switchesFor, type SandboxSwitches } from './switches';

interface Parts {
  readonly clock: SandboxClock;
  readonly paperwork: Paperwork;
  readonly switches: SandboxSwitches;
}

/** When the papers of a booking come, and the corrections of its price. */
export class PaperSteps {
  constructor(private readonly parts: Parts) {}

  booked(listing: Listing): void {
    if (this.#switchesOf(listing).billOfLading !== 'afterPickup') this.#issueBillOfLading(listing);
    this.#assignProNumber(listing, 'booked');
  }

  pickedUp(listing: Listing): void {
    if (this.#switchesOf(listing).billOfLading === 'afterPickup') this.#issueBillOfLading(listing);
    this.#assignProNumber(listing, 'pickedUp');
  }

  /** To be called before anybody hears of the delivery, so that a correction can be there with it. */
  delivered(listing: Listing): void {
    const { priceCorrections, priceCorrectionsFrom } = this.#switchesOf(listing);
    const atOnce = priceCorrectionsFrom === 'delivery' ? priceCorrections.slice(0, 1) : [];
    for (const amount of atOnce) this.#addCorrection(listing, amount);
    this.#correctPrice(listing, priceCorrections.slice(atOnce.length));
    this.#assignProNumber(listing, 'delivered');
    this.#afterInBooking('proofOfDelivery', listing, () => {
      this.parts.paperwork.addDocument(listing, {
        fileName: `POD-${listing.billOfLadingNumber}.pdf`,
        attachmentType: 'ProofOfDelivery',
      });
    });
  }

  #issueBillOfLading(listing: Listing): void {
    this.#afterInBooking('billOfLading', listing, () => this.parts.paperwork.issueBillOfLading(listing));
  }

  /** The carrier's own number comes as one more reference, where the switch `proNumber` says. */
  #assignProNumber(listing: Listing, moment: SandboxSwitches['proNumber']): void {
    if (this.#switchesOf(listing).proNumber !== moment) return;
    this.#afterInBooking('proNumber', listing, () => this.parts.paperwork.addProNumber(listing));
  }

  /** One correction after the other, as the switch `priceCorrections` lists them. */
  #correctPrice(listing: Listing, [amount, ...rest]: readonly number[]): void {
    if (amount === undefined) return;
    this.#afterInBooking('priceCorrection', listing, () => {
      this.#addCorrection(listing, amount);
      this.#correctPrice(listing, rest);
    });
  }

  #addCorrection(listing: Listing, amount: number): void {
    this.parts.paperwork.adjustPrice(listing, { description: 'Correction', amount });
  }

  /** Does nothing when the booking has ended by then, also if there is another one. */
  #afterInBooking(step: ClockStep, listing: Listing, act: () => void): void {
    const booking = listing.counts.booked;
    this.parts.clock.after(step, () => {
      if (listing.counts.booked === booking && isLiveBooking(listing)) act();
    });
  }

  #switchesOf({ draft }: Listing): SandboxSwitches {
    return switchesFor(draft, this.parts.switches);
  }
}
