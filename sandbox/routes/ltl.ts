import type { FastifyInstance } from 'fastify';
import { spoilPaymentMethod } from '../records/bad-elements';
import type { SandboxContext } from '../market/context';
import { addEndpoints, type AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem, codeRule, problemWith } from '../model/errors';
import { paymentMethodsOf } from '../model/payment-methods';
import { answerRateRequest, rateRecord, visibleRates } from '../carrier/rating';
import type { Acceptance, Rate, RateRequest } from '../model/state';
import { switchesFor } from '../model/switches';
import { readAcceptance } from '../validation/acceptance';
import { readRateRequest } from '../validation/rate-request';

export function addLtlRoutes(app: FastifyInstance, context: SandboxContext): void {
  const acceptance = '/v2/rates/:id/acceptance';
  addEndpoints(app, context, [
    ['createRateRequest', 'POST', '/v2/raterequests', createRateRequest],
    ['listRates', 'GET', '/v2/raterequests/:id/rates', listRates],
    ['acceptRate', 'POST', acceptance, acceptRate],
    ['getAcceptanceStatus', 'GET', `${acceptance}/status/:executionId`, getAcceptanceStatus],
    ['listPaymentMethods', 'GET', '/v2/paymentmethods', listPaymentMethods],
  ]);
}

function createRateRequest(context: SandboxContext, { account, body, request }: AccountCall): Answer {
  const { draft, integratorId, thirdPartyId, silentBecause } = readRateRequest(body, context.switches);
  const affiliate = request.headers['x-affiliate'];
  const provenance = typeof affiliate === 'string' ? { provenance: affiliate } : {};
  const rateRequest: RateRequest = {
    id: context.store.newRateId(),
    account,
    createdOn: new Date(),
    draft,
    rates: [],
    reads: 0,
    ...(integratorId === undefined ? {} : { integratorId }),
    ...(thirdPartyId === undefined ? {} : { thirdParty: { ...provenance, identity: thirdPartyId } }),
    ...(silentBecause === undefined ? {} : { silentBecause }),
  };
  context.store.rateRequests.set(rateRequest.id, rateRequest);
  answerRateRequest(rateRequest, context);
  const path = `/v2/raterequests/${rateRequest.id}/rates`;
  return { status: 201, headers: { location: context.addresses.rateRequestLocation(path, rateRequest.id) } };
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
  const { coverage } = readAcceptance(body, { rate, switches: context.switches, paymentMethods });
  if (context.switches.repeatedAcceptance === 'refused') refuseRepeated(context, rate);
  const acceptance = context.acceptances.accept(rate, coverage);
  const { acceptanceAnswersAtOnce } = switchesFor(rate.request.draft, context.switches);
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
  const { acceptanceFailureReason, acceptanceFailureStatus } = switchesFor(
    rate.request.draft,
    context.switches,
  );
  throw new ApiProblem(acceptanceFailureStatus, acceptanceFailureReason);
}

function getAcceptanceStatus(context: SandboxContext, { account, param }: AccountCall): Answer {
  const acceptance = context.store.acceptances.get(param('executionId'));
  const isMine = acceptance?.rate.request.account === account && acceptance.rate.id === param('id');
  const status = isMine ? context.acceptances.statusOf(acceptance) : ({ kind: 'notVisible' } as const);
  if (status.kind === 'notVisible') throw new ApiProblem(404, 'There is no such acceptance.');
  if (status.kind === 'answer') return { status: 200, body: status.body };
  const location = context.addresses.listingLocation(status.listing);
  const { acceptanceBookedAnswer } = switchesFor(status.listing.draft, context.switches);
  switch (acceptanceBookedAnswer) {
    case 'seeOther':
      return { status: 303, headers: { location } };
    case 'statusCode200ListingId':
      return okWith({ listingId: status.listing.listingId });
    case 'statusCode200Href':
      return okWith({ href: context.addresses.listing(status.listing) });
    case 'statusCode201WithoutListing':
      return { status: 200, body: { response: JSON.stringify({ status: 'Booked' }), statusCode: 201 } };
    case 'statusCode201':
    case 'doublyEncoded': {
      const json = JSON.stringify({ listingId: status.listing.listingId, location });
      const response = acceptanceBookedAnswer === 'doublyEncoded' ? JSON.stringify(json) : json;
      return { status: 200, body: { response, statusCode: 201 } };
    }
    default:
      return { status: 201, headers: { location } };
  }
}

/** Says nothing but 200, and names the listing all the same: before its booking, and after. */
const okWith = (response: object): Answer => ({
  status: 200,
  body: { response: JSON.stringify(response), statusCode: 200 },
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
