import type { z } from 'zod';
import type { EndpointReport, ShapeDifference, ShapeReport } from '../../domain/conformance';
import {
  LISTING_SERVICE_TYPES,
  RATE_SERVICE_TYPES,
  TRANSPORT_MODES,
  VEHICLE_TYPES,
} from '../../domain/known-values';
import { REFERENCE_TYPES } from '../../domain/reference-type';
import { LISTING_STATUSES, TRANSIT_STATUSES } from '../../domain/listing';
import { ConnectionError, UnexpectedResponseError, type MarketplaceError } from '../errors';
import type { RawResponse } from '../marketplace';
import { addressTypeListSchema } from '../schemas/address-types';
import { fixedPriceResponseSchema } from '../schemas/fixed-price';
import { listingAnswerSchema } from '../schemas/listings';
import { paymentMethodListSchema } from '../schemas/payment-methods';
import { rateListSchema } from '../schemas/rates';
import { billOfLadingSchema, contactsSchema, trackingSchema } from '../schemas/tracking';
import { compareShape, type KnownValues } from './shape';

interface Endpoint {
  readonly title: string;
  readonly status: number;
  /** Null when only headers are read. */
  readonly schema: z.ZodType | null;
  readonly known?: KnownValues;
  /** Refusals that the contract describes for something that does not exist. */
  readonly notThere?: readonly number[];
  /** The value to compare with the schema, if it is not the body itself. */
  readonly walked?: (body: unknown) => unknown;
}

const CURRENCIES = { currencyType: ['USD', 'CAD'] };
const ONCE_BOOKED = [403, 404];

/** A record or a list of records; a record itself also has `items`. */
function listingsOf(body: unknown): unknown {
  const isList = typeof body === 'object' && body !== null && !('listingId' in body) && 'items' in body;
  return isList && Array.isArray(body.items) ? body.items : [body];
}

/** Every call that books nothing, with the schema of its answer. */
export const ENDPOINTS = {
  getFixedPrice: {
    title: 'POST /v2/fixedprice',
    ...{ status: 200, schema: fixedPriceResponseSchema, known: CURRENCIES },
  },
  listPaymentMethods: {
    title: 'GET /v2/paymentmethods',
    ...{ status: 200, schema: paymentMethodListSchema, notThere: [501] },
    known: { 'items[].type': ['creditcard', 'bankaccount', 'payonterms'] },
  },
  listAddressTypes: { title: 'GET /v2/lookups/addressTypes', status: 200, schema: addressTypeListSchema },
  createRateRequest: { title: 'POST /v2/raterequests', status: 201, schema: null },
  listRates: {
    title: 'GET /v2/raterequests/{id}/rates',
    ...{ status: 200, schema: rateListSchema },
    known: {
      ...CURRENCIES,
      serviceType: RATE_SERVICE_TYPES,
      transportMode: TRANSPORT_MODES,
      vehicleType: VEHICLE_TYPES,
    },
  },
  getListing: {
    title: 'GET /v2/listings/{listingId}',
    ...{ status: 200, schema: listingAnswerSchema, notThere: [404], walked: listingsOf },
    known: {
      ...CURRENCIES,
      status: LISTING_STATUSES,
      transitStatus: TRANSIT_STATUSES,
      nextTransitStatus: TRANSIT_STATUSES,
      previousTransitStatus: TRANSIT_STATUSES,
      'availableTransitStatuses[]': TRANSIT_STATUSES,
      'serviceTypes[]': LISTING_SERVICE_TYPES,
      type: [...REFERENCE_TYPES, 'ThirdPartyOrderNumber'],
    },
  },
  getListingContacts: {
    title: 'GET /v2/listings/{listingId}/contacts',
    ...{ status: 200, schema: contactsSchema, notThere: ONCE_BOOKED },
  },
  getTracking: {
    title: 'GET /v2/listings/{listingId}/track',
    ...{ status: 200, schema: trackingSchema, notThere: ONCE_BOOKED },
  },
  getBillOfLading: {
    title: 'GET /v2/listings/{id}/billoflading',
    ...{ status: 200, schema: billOfLadingSchema, notThere: ONCE_BOOKED },
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

export type ProbedOperation = keyof typeof ENDPOINTS;

const NOTHING: ShapeReport = { differences: [], unreadFields: [], absentFields: [], unknownValues: [] };

/** Result of one call: the answer as received, if any, and the client's error, if any. */
export interface ProbedCall {
  readonly seen: RawResponse | null;
  readonly error: MarketplaceError | null;
  /** What the answer lacks although it fits the schema: optional in the contract, but needed by this request. */
  readonly missing?: string | null;
}

/** The report of one call. Contains nothing of the answer except names, kinds and codes. */
export function endpointReport(
  operation: ProbedOperation,
  { seen, error, missing = null }: ProbedCall,
): EndpointReport {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const { title, notThere = [] } = endpoint;
  if (seen === null) {
    const trouble =
      error instanceof ConnectionError ? (error.code ?? 'the connection failed') : whichCall(error);
    const status = error?.status ?? null;
    return {
      ...NOTHING,
      endpoint: title,
      status,
      trouble,
      verdict: status === null ? 'noAnswer' : 'refused',
    };
  }
  const { status } = seen;
  if (status < 200 || status > 299) {
    const verdict = notThere.includes(status) ? 'notThere' : 'refused';
    return { ...NOTHING, endpoint: title, status, trouble: null, verdict };
  }
  const shape = shapeOf(endpoint, seen);
  const differences = [...shape.differences, ...statusDifference(endpoint, status)];
  // Requirements outside the schema, such as a premium when coverage was asked for.
  const expected = error instanceof UnexpectedResponseError ? error.expected : missing;
  if (shape.differences.length === 0 && expected !== null) {
    differences.push({ path: '(as a whole)', expected, received: 'something else' });
  }
  const verdict = differences.length === 0 ? 'fits' : 'differs';
  return { ...shape, differences, endpoint: title, status, trouble: null, verdict };
}

const whichCall = (error: MarketplaceError | null): string =>
  error?.operation === 'grantToken' ? 'no token was given' : (error?.name ?? 'not called');

function statusDifference({ status: expected }: Endpoint, status: number): ShapeDifference[] {
  return status === expected
    ? []
    : [{ path: '(status)', expected: String(expected), received: String(status) }];
}

function shapeOf({ schema, known, walked }: Endpoint, { body }: RawResponse): ShapeReport {
  if (schema === null) return NOTHING;
  let json: unknown;
  try {
    json = JSON.parse(body ?? '');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const received = body === null ? 'an answer that broke off' : body.trim() === '' ? 'nothing' : 'no JSON';
    return { ...NOTHING, differences: [{ path: '(body)', expected: 'JSON', received }] };
  }
  return compareShape(schema, json, { known, walked: walked === undefined ? json : walked(json) });
}
