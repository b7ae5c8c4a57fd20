import type { SandboxClock } from './clock';
import { ApiProblem, codeRule, unreachable } from './errors';
import type { ShipmentLife } from './life';
import { newListing } from './new-listing';
import type { Acceptance, Listing, Money, Rate } from './state';
import type { Store } from './store';
import type { AcceptanceOutcomeSetting } from './order-switches';
import { switchesFor, type SandboxSwitches } from './switches';

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
    const { store, clock } = this.parts;
    const switches = this.#switchesOf(rate);
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

  /** A rate named by id or carrier first, then the script, one entry for each acceptance, then the switch. */
  #settingFor(rate: Rate): AcceptanceOutcomeSetting {
    const { acceptanceByRate, acceptanceScript, acceptance } = this.#switchesOf(rate);
    const named = acceptanceByRate[rate.id] ?? acceptanceByRate[rate.carrier.displayName];
    return named ?? acceptanceScript.shift() ?? acceptance;
  }

  /** The marketplace takes back one that waits for its carrier: from now on it failed. */
  withdraw(executionId: string): Acceptance {
    const acceptance = this.parts.store.acceptances.get(executionId);
    if (acceptance === undefined) throw new ApiProblem(404, `There is no acceptance ${executionId}.`);
    if (acceptance.outcome !== 'pending')
      throw new ApiProblem(409, `The acceptance ${executionId} is ${acceptance.outcome}.`);
    acceptance.outcome = 'failed';
    return acceptance;
  }

  #settle(acceptance: Acceptance): void {
    const { setting, outcome } = acceptance;
    if (outcome !== 'pending') return;
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
        acceptance.isToBook = true;
        this.parts.clock.after('bookedLate', () => this.#book(acceptance));
        return;
      default:
        unreachable(setting);
    }
  }

  #book(acceptance: Acceptance): void {
    acceptance.outcome = 'booked';
    acceptance.isToBook = false;
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

  #switchesOf({ request }: Rate): SandboxSwitches {
    return switchesFor(request.draft, this.parts.switches);
  }

  statusOf(acceptance: Acceptance): AcceptanceStatus {
    const { clock } = this.parts;
    const switches = this.#switchesOf(acceptance.rate);
    acceptance.polls += 1;
    if (acceptance.polls <= switches.acceptanceHiddenPolls) return { kind: 'notVisible' };
    const ageMs = Date.now() - acceptance.acceptedOn.getTime();
    if (ageMs < clock.lengthMs('acceptanceVisible')) return { kind: 'notVisible' };
    const { setting, outcome, listing } = acceptance;
    if (outcome === 'pending' || setting === 'bookedSilently')
      return { kind: 'answer', body: pending(switches) };
    if (setting === 'booked' && listing !== undefined) return { kind: 'booked', listing };
    const statusCode = setting === 'bookedButFailed' ? 500 : switches.acceptanceFailureStatus;
    const reason =
      setting === 'bookedButFailed' ? 'Internal server error.' : switches.acceptanceFailureReason;
    const errors = [{ code: codeRule, field: 'id', reason, severity: 'Error' }];
    return { kind: 'answer', body: { response: failure({ reason, errors }, switches), statusCode } };
  }
}

function failure(problem: object, { acceptanceFailureResponse: form }: SandboxSwitches): string | null {
  const json = JSON.stringify(problem);
  const forms = { json, doublyEncoded: JSON.stringify(json), empty: '', null: null, notJson: 'Failed' };
  return forms[form];
}

/** What is said while nothing is decided; the contract does not show it, so each form that was met is a choice. */
function pending({ acceptancePendingAnswer: form }: SandboxSwitches): {
  response: string | null;
  statusCode?: number;
} {
  const response = JSON.stringify({ status: 'Pending' });
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
