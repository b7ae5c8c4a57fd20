import type { SandboxClock } from '../model/clock';
import { ApiProblem, codeRule, unreachable } from '../model/errors';
import { isAcceptanceTrouble } from '../troubles/trouble';
import type { Troubles } from '../troubles/troubles';
import { orderReferenceOf } from '../model/references';
import type { Carrier } from './carrier';
import type { Acceptance, Listing, Money, Rate } from '../model/state';
import type { Store } from '../model/store';
import { switchesFor, type SandboxSwitches } from '../model/switches';

interface Parts {
  readonly clock: SandboxClock;
  readonly carrier: Carrier;
  readonly store: Store;
  readonly switches: SandboxSwitches;
  readonly troubles: Troubles;
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
      course: this.#courseOf(rate),
      outcome: 'pending',
      polls: 0,
    };
    store.acceptances.set(acceptance.executionId, acceptance);
    if (switches.acceptanceAnswersAtOnce || switches.webhookEarly === 'booked') this.#settle(acceptance);
    else clock.after('acceptancePending', () => this.#settle(acceptance));
    return acceptance;
  }

  /** Trouble may name a rate, or its carrier. */
  #courseOf({ id, carrier, request }: Rate): Acceptance['course'] {
    const occasion = {
      request: 'acceptRate',
      path: `/v2/rates/${id}/acceptance`,
      body: carrier.displayName,
      reference: orderReferenceOf(request.draft.referenceNumbers),
      account: request.account.name,
    } as const;
    return this.parts.troubles.strike(occasion, isAcceptanceTrouble)?.kind ?? 'booked';
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
    const { course, outcome } = acceptance;
    if (outcome !== 'pending') return;
    switch (course) {
      case 'pending':
        return;
      case 'failed':
        acceptance.outcome = 'failed';
        return;
      case 'failedLeavingListing':
        acceptance.outcome = 'failed';
        acceptance.listing = this.#createListing(acceptance);
        this.parts.carrier.tell(acceptance.listing);
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
        unreachable(course);
    }
  }

  #book(acceptance: Acceptance): void {
    acceptance.outcome = 'booked';
    acceptance.isToBook = false;
    acceptance.listing = this.#createListing(acceptance);
    this.parts.carrier.offer(acceptance.listing, acceptance.rate.carrier);
  }

  /** The listing carries the references of the rate request: that is how its owner recognises it. */
  #createListing({ rate, executionId, coverage }: Acceptance): Listing {
    const { request, price } = rate;
    return this.parts.store.addListing({
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
    const { course, outcome, listing } = acceptance;
    if (outcome === 'pending' || course === 'bookedSilently')
      return { kind: 'answer', body: pending(switches) };
    if (course === 'booked' && listing !== undefined) return { kind: 'booked', listing };
    const [statusCode, reason] =
      course === 'bookedButFailed'
        ? [500, 'Internal server error.']
        : [switches.acceptanceFailureStatus, switches.acceptanceFailureReason];
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
  const forms = {
    statusCode202: { response, statusCode: 202 },
    statusCodeZero: { response, statusCode: 0 },
    noStatusCode: { response },
    nullResponse: { response: null, statusCode: 202 },
    emptyResponse: { response: '', statusCode: 202 },
    notJson: { response: 'Pending', statusCode: 202 },
    doublyEncoded: { response: JSON.stringify(response), statusCode: 202 },
  };
  return forms[form];
}
