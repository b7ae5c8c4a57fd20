import { ApiProblem, codeRule, errorEntry, unreachable } from '../model/errors';
import type { Carrier } from './carrier';
import type { Parts } from './parts';
import {
  acceptanceTroubles,
  type Acceptance,
  type Listing,
  type Money,
  type Rate,
  orderReferenceOf,
} from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';

/** Taking a rate: asynchronous, and not idempotent (contract, "Rate acceptance"). */
export class Acceptances {
  constructor(
    private readonly parts: Parts,
    private readonly carrier: Carrier,
  ) {}

  accept(rate: Rate, coverage: Money | null): Acceptance {
    const { store, clock } = this.parts;
    const switches = switchesFor(rate.request, this.parts);
    const acceptance: Acceptance = {
      executionId: store.ids.uuid(),
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
    return this.parts.troubles.strike(occasion, acceptanceTroubles)?.kind ?? 'booked';
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
        this.carrier.tell(acceptance.listing);
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
    this.carrier.offer(acceptance.listing, acceptance.rate.carrier);
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
      integratorId: request.integratorId,
      thirdParty: request.thirdParty,
      draft: {
        ...request.draft,
        pricing: { kind: 'namedPrice', price },
        coverage: coverage ?? undefined,
      },
      price,
    });
  }

  /** What its status says; undefined while it is not visible. */
  statusOf(acceptance: Acceptance) {
    const { clock } = this.parts;
    const switches = switchesFor(acceptance.rate.request, this.parts);
    acceptance.polls += 1;
    if (acceptance.polls <= switches.acceptanceHiddenPolls) return undefined;
    const ageMs = Date.now() - acceptance.acceptedOn.getTime();
    if (ageMs < clock.lengthMs('acceptanceVisible')) return undefined;
    const { course, outcome, listing } = acceptance;
    if (outcome === 'pending' || course === 'bookedSilently') return { body: pending(switches) };
    if (course === 'booked' && listing !== undefined) return { listing };
    const [statusCode, reason] =
      course === 'bookedButFailed'
        ? [500, 'Internal server error.']
        : [switches.acceptanceFailureStatus, switches.acceptanceFailureReason];
    const errors = [errorEntry('id', reason, codeRule)];
    return { body: { response: failure({ reason, errors }, switches), statusCode } };
  }
}

function failure(problem: object, { acceptanceFailureResponse: form }: SandboxSwitches): string | null {
  const json = JSON.stringify(problem);
  const forms = { json, doublyEncoded: JSON.stringify(json), empty: '', null: null, notJson: 'Failed' };
  return forms[form];
}

/** What is said while nothing is decided; the contract does not show it, so each form that was met is a choice. */
function pending({ acceptancePendingAnswer: form }: SandboxSwitches) {
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
