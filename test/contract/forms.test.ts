import { expect, test } from '@jest/globals';
import type { MarketplaceSettings } from '../../src/marketplace/account';
import type { SwitchChanges } from '../../src/sandbox/switches';
import { aFurnitureShipment, anLtlShipment, aStop } from '../support/builders';
import { usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();
type Settings = Partial<MarketplaceSettings>;
type Case = readonly [switches: SwitchChanges, taken: Settings, refused: Settings];

/** How a call under the settings ended: `taken`, or the outcome of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'taken',
    (error: { outcome: string }) => error.outcome,
  );
}

async function list(settings: Settings): Promise<string> {
  const draft = { listPrice: usd(10_000), priceCorrelationId: null, sendId: 'SO-1.1' };
  const shipment = aFurnitureShipment({ coverage: usd(200_000) });
  return await outcomeOf(marketplace.open({ settings }).createListing({ ...draft, shipment }));
}

test.each<Case>([
  [{ listingBody: 'json' }, { listingBody: 'json' }, { listingBody: 'form' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'dots' }, { listingBody: 'json' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'brackets' }, { listingBody: 'json' }],
  [{ listingBody: 'form' }, { listingBody: 'form', formNesting: 'json' }, { listingBody: 'json' }],
  [
    { listingInsurance: 'coverageAmount' },
    { listingInsurance: 'coverageAmount' },
    { listingInsurance: 'coverage' },
  ],
  [
    { listingInsurance: 'coverage' },
    { listingInsurance: 'coverage' },
    { listingInsurance: 'coverageAmount' },
  ],
  [{ pricing: 'namedPrice' }, { pricing: 'namedPrice' }, { pricing: 'offerPrice' }],
  [{ pricing: 'offerPrice' }, { pricing: 'offerPrice' }, { pricing: 'namedPrice' }],
])('where %j, a listing is taken under %j and refused under %j', async (switches, taken, refused) => {
  marketplace.sandbox.setSwitches({ ...switches, unknownFields: 'refused' });
  expect([await list(taken), await list(refused)]).toEqual(['taken', 'rejected']);
});

async function ask(settings: Settings): Promise<string> {
  const services = { inside: true, liftgate: true, callBeforeArrival: true, appointment: true };
  const shipment = anLtlShipment({ destination: aStop({ services }), services: ['ProtectFromFreezing'] });
  return await outcomeOf(marketplace.open({ settings }).createRateRequest({ shipment, attempt: 1 }));
}

test.each<Case>([
  [
    { callAheadName: 'callAhead' },
    { callAccessorial: 'callAhead' },
    { callAccessorial: 'callBeforeArrival' },
  ],
  [
    { callAheadName: 'callBeforeArrival' },
    { callAccessorial: 'callBeforeArrival' },
    { callAccessorial: 'callAhead' },
  ],
  [{ topLevelAccessorials: 'names' }, { additionalServices: 'names' }, { additionalServices: 'booleans' }],
  [{ topLevelAccessorials: 'booleans' }, { additionalServices: 'booleans' }, { additionalServices: 'names' }],
])('where %j, a rate request is taken under %j and refused under %j', async (switches, taken, refused) => {
  marketplace.sandbox.setSwitches({ ...switches, unknownFields: 'refused' });
  expect([await ask(taken), await ask(refused)]).toEqual(['taken', 'rejected']);
});
