import type { SandboxClock } from './clock';
import { codeRule, unreachable } from './errors';
import type { ShipmentLife } from './life';
import { newListing } from './new-listing';
import { orderReferenceOf } from './references';
import type { Acceptance, Listing, Money, Rate } from './state';
import type { Store } from './store';
import type { AcceptanceOutcomeSetting, SandboxSwitches } from './switches';

interface Parts {
  readonly clock: SandboxClock;
  readonly life: ShipmentLife;
  readonly store: Store;
  readonly switches: SandboxSwitches;
}

export type AcceptanceStatus =
  | { readonly kind: 'notVisible' }
  | {
      readonly kind: 'answer';
      readonly body: { readonly response: string | null; readonly statusCode?: number };
    }
  | { readonly kind: 'booked'; readonly listing: Listing };

/** Taking a rate: asynchronous, and not idempotent (contract, "Rate acceptance"). */
export class Acceptances {
  constructor(private readonly parts: Parts) {}

  accept(rate: Rate, coverage: Money | null): Acceptance {
    const { store, switches, clock } = this.parts;
    const acceptance: Acceptance = {
      executionId: store.newUuid(),
      rate,
      acceptedOn: new Date(),
      coverage,
      setting: this.#settingFor(rate),
      outcome: 'pending',
      polls: 0,
    };
    store.acceptances.set(acceptance.executionId, acceptance);
    if (switches.acceptanceAnswersAtOnce || switches.webhookEarly === 'booked') this.#settle(acceptance);
    else clock.after('acceptancePending', () => this.#settle(acceptance));
    return acceptance;
  }

  /**
   * A rate named by id or carrier first, then the order's script, then that of all orders, one entry for each
   * acceptance, then the switch.
   */
  #settingFor(rate: Rate): AcceptanceOutcomeSetting {
    const { acceptanceByRate, acceptanceByReference, acceptanceScript, acceptance } = this.parts.switches;
    const named = acceptanceByRate[rate.id] ?? acceptanceByRate[rate.carrier.displayName];
    const ofOrder = acceptanceByReference[orderReferenceOf(rate.request.draft.referenceNumbers)];
    return named ?? ofOrder?.shift() ?? acceptanceScript.shift() ?? acceptance;
  }

  #settle(acceptance: Acceptance): void {
    const { setting } = acceptance;
    switch (setting) {
      case 'pending':
        return;
      case 'failed':
        acceptance.outcome = 'failed';
        return;
      case 'failedLeavingListing':
        acceptance.outcome = 'failed';
        acceptance.listing = this.#createListing(acceptance);
        this.parts.life.leaveOpen(acceptance.listing);
        return;
      case 'booked':
      case 'bookedSilently':
      case 'bookedButFailed':
        this.#book(acceptance);
        return;
      case 'failedThenBooked':
        acceptance.outcome = 'failed';
        this.parts.clock.after('bookedLate', () => this.#book(acceptance));
        return;
      default:
        unreachable(setting);
    }
  }

  #book(acceptance: Acceptance): void {
    acceptance.outcome = 'booked';
    acceptance.listing = this.#createListing(acceptance);
    this.parts.life.offer(acceptance.listing, acceptance.rate.carrier);
  }

  /** The listing carries the references of the rate request: that is how its owner recognises it. */
  #createListing({ rate, executionId, coverage }: Acceptance): Listing {
    const { request, price } = rate;
    const listing = newListing({
      listingId: this.parts.store.newListingId(),
      account: request.account,
      createdBy: 'acceptance',
      rateId: rate.id,
      executionId,
      rateRequestId: request.id,
      ...(request.integratorId === undefined ? {} : { integratorId: request.integratorId }),
      ...(request.thirdParty === undefined ? {} : { thirdParty: request.thirdParty }),
      draft: {
        ...request.draft,
        pricing: { kind: 'namedPrice', price },
        ...(coverage === null ? {} : { coverage }),
      },
      price,
    });
    this.parts.store.listings.set(listing.listingId, listing);
    return listing;
  }

  statusOf(acceptance: Acceptance): AcceptanceStatus {
    const { clock, switches } = this.parts;
    acceptance.polls += 1;
    if (acceptance.polls <= switches.acceptanceHiddenPolls) return { kind: 'notVisible' };
    const ageMs = Date.now() - acceptance.acceptedOn.getTime();
    if (ageMs < clock.lengthMs('acceptanceVisible')) return { kind: 'notVisible' };
    const { setting, outcome, listing } = acceptance;
    if (outcome === 'pending' || setting === 'bookedSilently')
      return { kind: 'answer', body: this.#pending() };
    if (setting === 'booked' && listing !== undefined) return { kind: 'booked', listing };
    const statusCode = setting === 'bookedButFailed' ? 500 : switches.acceptanceFailureStatus;
    const reason =
      setting === 'bookedButFailed' ? 'Internal server error.' : switches.acceptanceFailureReason;
    const errors = [{ code: codeRule, field: 'id', reason, severity: 'Error' }];
    return { kind: 'answer', body: { response: this.#failure({ reason, errors }), statusCode } };
  }

  #failure(problem: object): string | null {
    const { acceptanceFailureResponse: form } = this.parts.switches;
    const json = JSON.stringify(problem);
    const forms = { json, doublyEncoded: JSON.stringify(json), empty: '', null: null, notJson: 'Failed' };
    return forms[form];
  }

  /** What is said while nothing is decided; the contract does not show it, so each form that was met is a choice. */
  #pending(): { response: string | null; statusCode?: number } {
    const response = JSON.stringify({ status: 'Pending' });
    const { acceptancePendingAnswer: form } = this.parts.switches;
    switch (form) {
      case 'statusCode202':
        return { response, statusCode: 202 };
      case 'statusCodeZero':
        return { response, statusCode: 0 };
      case 'noStatusCode':
        return { response };
      case 'nullResponse':
        return { response: null, statusCode: 202 };
      case 'emptyResponse':
        return { response: '', statusCode: 202 };
      case 'notJson':
        return { response: 'Pending', statusCode: 202 };
      case 'doublyEncoded':
        return { response: JSON.stringify(response), statusCode: 202 };
      default:
        return unreachable(form);
    }
  }
}
