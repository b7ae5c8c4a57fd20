import { spoilPaymentMethod } from '../records/bad-elements';
import type { SandboxContext } from '../market/context';
import type { AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem, codeRule, problemWith } from '../model/errors';
import { paymentMethodsOf } from '../model/payment-methods';
import { answerRateRequest, rateRecord, visibleRates } from '../carrier/rating';
import type { Acceptance, Rate, RateRequest } from '../model/state';
import { switchesFor } from '../model/switches';
import { readAcceptance } from '../validation/acceptance';
import { readRateRequest } from '../validation/rate-request';

export const ltlActs = { createRateRequest, listRates, acceptRate, getAcceptanceStatus, listPaymentMethods };

function createRateRequest(context: SandboxContext, { account, body, request }: AccountCall): Answer {
  const { draft, integratorId, thirdPartyId, silentBecause } = readRateRequest(body, context.switches);
  const affiliate = request.headers['x-affiliate'];
  const provenance = typeof affiliate === 'string' ? affiliate : undefined;
  const rateRequest: RateRequest = {
    id: context.store.newRateId(),
    account,
    createdOn: new Date(),
    rates: [],
    reads: 0,
    thirdParty: thirdPartyId === undefined ? undefined : { provenance, identity: thirdPartyId },
    ...{ draft, integratorId, silentBecause },
  };
  context.store.rateRequests.set(rateRequest.id, rateRequest);
  answerRateRequest(rateRequest, context);
  const path = `/v2/raterequests/${rateRequest.id}/rates`;
  const { rateRequestLocationHost } = context.switches;
  const location = context.addresses.location(path, rateRequest.id, rateRequestLocationHost);
  return { status: 201, headers: { location } };
}

/** The contract gives this call no 404: a request of somebody else, or of nobody, is forbidden. */
function listRates(context: SandboxContext, { account, param }: AccountCall): Answer {
  const rateRequest = context.store.rateRequests.get(param('id'));
  if (rateRequest?.account !== account)
    throw new ApiProblem(403, `Rate request ${param('id')} is not reachable with this key.`);
  const items = visibleRates(rateRequest).map((rate) => rateRecord(rate, context));
  return { status: 200, body: { totalCount: items.length + context.switches.totalCountExcess, items } };
}

async function acceptRate(context: SandboxContext, { account, body, param }: AccountCall): Promise<Answer> {
  const rate = context.store.rates.get(param('id'));
  if (rate === undefined) throw problemWith('id', `there is no rate ${param('id')}`);
  if (rate.request.account !== account) throw new ApiProblem(403, 'The rate belongs to another account.');
  if (rate.withdrawnOn !== undefined)
    throw problemWith('id', 'the carrier no longer offers this rate', codeRule);
  const paymentMethods = paymentMethodsOf(account, context.switches);
  const coverage = readAcceptance(body, { rate, switches: context.switches, paymentMethods });
  if (context.switches.repeatedAcceptance === 'refused') refuseRepeated(context, rate);
  const acceptance = context.acceptances.accept(rate, coverage);
  const { acceptanceAnswersAtOnce } = switchesFor(rate.request, context);
  if (context.switches.webhookEarly === 'booked') await context.webhooks.settled();
  if (acceptanceAnswersAtOnce) return answerAtOnce(context, acceptance);
  const { executionId } = acceptance;
  const path = `/v2/rates/${rate.id}/acceptance/status/${executionId}`;
  return {
    status: 202,
    headers: { location: context.addresses.location(path, executionId) },
    body: { message: 'The acceptance is being processed.' },
  };
}

function refuseRepeated(context: SandboxContext, rate: Rate): void {
  const isTaken = [...context.store.acceptances.values()].some(
    (acceptance) => acceptance.rate === rate && acceptance.outcome !== 'failed',
  );
  if (isTaken) throw problemWith('id', 'duplicate: the rate was accepted already', codeRule);
}

/** The older form: 201 with the listing's address instead of 202 with the status's. */
function answerAtOnce(context: SandboxContext, { listing, outcome, rate }: Acceptance): Answer {
  if (listing !== undefined && outcome === 'booked')
    return { status: 201, headers: { location: context.addresses.listingLocation(listing) } };
  const { acceptanceFailureReason, acceptanceFailureStatus } = switchesFor(rate.request, context);
  throw new ApiProblem(acceptanceFailureStatus, acceptanceFailureReason);
}

function getAcceptanceStatus(context: SandboxContext, { account, param }: AccountCall): Answer {
  const acceptance = context.store.acceptances.get(param('executionId'));
  const isMine = acceptance?.rate.request.account === account && acceptance.rate.id === param('id');
  const { body, listing } = (isMine ? context.acceptances.statusOf(acceptance) : undefined) ?? {};
  if (body !== undefined) return { status: 200, body };
  if (listing === undefined) throw new ApiProblem(404, 'There is no such acceptance.');
  const location = context.addresses.listingLocation(listing);
  const { acceptanceBookedAnswer } = switchesFor(listing, context);
  const json = JSON.stringify({ listingId: listing.listingId, location });
  const forms: Record<typeof acceptanceBookedAnswer, Answer> = {
    created: { status: 201, headers: { location } },
    seeOther: { status: 303, headers: { location } },
    statusCode201: outcomeAnswer(201, json),
    doublyEncoded: outcomeAnswer(201, JSON.stringify(json)),
    statusCode201WithoutListing: outcomeAnswer(201, JSON.stringify({ status: 'Booked' })),
    // These say nothing but 200, and name the listing all the same.
    statusCode200ListingId: outcomeAnswer(200, JSON.stringify({ listingId: listing.listingId })),
    statusCode200Href: outcomeAnswer(200, JSON.stringify({ href: context.addresses.listing(listing) })),
  };
  return forms[acceptanceBookedAnswer];
}

const outcomeAnswer = (statusCode: number, response: string): Answer => ({
  status: 200,
  body: { response, statusCode },
});

function listPaymentMethods(context: SandboxContext, { account, query }: AccountCall): Answer {
  const commodity = query('topLevelCommodity') ?? '';
  if (commodity === '') throw problemWith('topLevelCommodity', 'is required');
  const isKnown = ['ltl', 'ltlfreight', 'householdgoods', 'vehicles', 'freight'].includes(
    commodity.toLowerCase(),
  );
  if (!isKnown || context.switches.paymentMethods === 'notImplemented')
    throw new ApiProblem(501, `The top-level commodity ${commodity} is not implemented.`);
  const items = paymentMethodsOf(account, context.switches).map(
    ({ isUsable: _isUsable, type, ...method }, place) =>
      spoilPaymentMethod({ ...method, type: context.labels.trio(type) }, place, context.switches.badElements),
  );
  return { status: 200, body: { totalCount: items.length, items } };
}
