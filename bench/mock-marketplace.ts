import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { ORDER_REFERENCE_TYPE } from '../src/domain/listing-proof';
import { goodAnswers } from '../test/unit/marketplace/good-answers';
import type { OnClose } from '../src/platform/closing';
import { listenOnFreePort } from './listen';
import { QuietOrders } from './quiet-orders';

const DAY_MS = 86_400_000;
const FIRST_LISTING = 300_000_000;
const RATES = 8;
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');
const EXECUTION_ID = '2f0c1b9e-5a3d-4a55-9a51-2f6f1c1f9a10';

interface State {
  readonly isBooked: boolean;
  readonly transit: string | null;
}

interface Step {
  readonly state: Partial<State>;
  readonly events: readonly string[];
}

const moves = (transit: string): Step => ({
  ...{ state: { transit }, events: ['Shipment.TransitStatusChanged/v1'] },
});
const BOOKED: Step = { state: { isBooked: true }, events: ['Listing.StatusChanged/v1', 'Listing.Booked/v1'] };
const DELIVERED: Step = {
  state: { transit: 'Delivered' },
  events: ['Shipment.TransitStatusChanged/v1', 'Listing.Attachment.AttachmentAdded/v1'],
};
/** The steps of a listing, in order. */
export const UNTIL_BOOKED = [BOOKED];
export const UNTIL_DISPATCHED = [BOOKED, ...['ReadyForDispatch', 'Dispatched'].map(moves)];
export const UNTIL_PICKED_UP = [...UNTIL_DISPATCHED, moves('PickedUp')];
export const WHOLE_LIFE = [...UNTIL_PICKED_UP, DELIVERED];

const trio = (value: string): object => ({ value, label: value, shortLabel: value });

/** Those of the example orders. */
const ADDRESS_TYPES = {
  items: ['Residence', 'BusinessWithLoadingDockOrForklift', 'BusinessWithoutLoadingDockOrForklift'].map(trio),
};

const draftShape = z.looseObject({
  route: z.unknown(),
  items: z.array(z.looseObject({ weightInGrams: z.number().optional(), unitCount: z.number() })),
  referenceNumbers: z.array(z.looseObject({ number: z.string(), type: z.union([z.string(), z.number()]) })),
});
type Draft = z.output<typeof draftShape>;

const coverageShape = z.looseObject({ insurance: z.record(z.string(), z.unknown()).optional() });

interface MockListing {
  readonly listingId: number;
  readonly order: string;
  readonly draft: Draft;
  readonly price: number;
  state: State;
}

/** An event for an order. */
export interface MockEvent {
  readonly type: string;
  readonly listingId: string;
  readonly attachmentIds: readonly string[];
}

/** @param order its reference, `<account>/<orderId>` */
type Teller = (order: string, event: MockEvent) => Promise<void>;

export interface MockOptions {
  /** The steps of a listing, by how many came before it. */
  readonly lifeOf: (earlier: number) => readonly Step[];
  /** Each reading of a tracking shows the truck elsewhere. */
  readonly isMoving?: boolean;
  readonly onListingRead?: (listingId: string) => void;
}

interface MockAnswer {
  readonly status: number;
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A marketplace that answers immediately, with the answers from the client's tests. It implements the least that both flows
 * need, because the validation and bookkeeping of the sandbox would use CPU that the measured processes need.
 */
export class MockMarketplace {
  url = '';
  /** Delivers the events; they are dropped until it is set. */
  teller: Teller | null = null;
  readonly quiet = new QuietOrders();
  readonly listings = new Map<number, MockListing>();
  /** How many readings of listings, and of trackings, it answered. */
  readonly readings = { listing: 0, tracking: 0 };
  private readonly rateRequests: Draft[] = [];

  constructor(private readonly options: MockOptions) {}

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { status, headers = {}, body: answer = Buffer.alloc(0) } = this.answer(request, body);
    const isJson = !Buffer.isBuffer(answer);
    response.writeHead(status, { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers });
    response.end(isJson ? JSON.stringify(answer) : answer);
  }

  private answer({ method = '', url = '' }: IncomingMessage, body: string): MockAnswer {
    const [path = ''] = url.split('?');
    for (const [pattern, take] of ROUTES) {
      const found = pattern.exec(`${method} ${path}`);
      if (found !== null) return take(this, { id: found[1] ?? '', body });
    }
    return { status: 404, body: { reason: `the mock knows no ${method} ${path}` } };
  }

  /** A call shows that the shipment is busy. */
  listingOf(id: string): MockListing {
    const listing = this.listings.get(Number(id));
    if (listing === undefined) throw new Error(`the mock knows no listing ${id}`);
    this.quiet.touch(listing.order);
    return listing;
  }

  readListing(id: string): MockListing {
    this.readings.listing += 1;
    this.options.onListingRead?.(id);
    return this.listingOf(id);
  }

  readTracking(id: string): object {
    this.readings.tracking += 1;
    const { listingId, state } = this.listingOf(id);
    const statuses = state.transit === null ? [] : [{ status: trio(state.transit), sequence: 1 }];
    const moved = this.options.isMoving === true ? (this.readings.tracking % 100) / 10 : 0;
    const mostRecentLocation = goodAnswers.getTracking.mostRecentLocation.map(
      ({ latitude, ...location }) => ({
        ...location,
        latitude: latitude + moved,
      }),
    );
    return {
      ...goodAnswers.getTracking,
      listingGeneratedId: listingId,
      shipmentTrackingStatuses: statuses,
      mostRecentLocation,
    };
  }

  createListing(draft: Draft, price: number): MockListing {
    const earlier = this.listings.size;
    const listingId = FIRST_LISTING + earlier;
    const order = orderOf(draft);
    const listing: MockListing = {
      ...{ listingId, order, draft, price, state: { isBooked: false, transit: null } },
    };
    this.listings.set(listingId, listing);
    const steps = this.options.lifeOf(earlier).map(({ state, events }) => async () => {
      listing.state = { ...listing.state, ...state };
      for (const type of events) await this.tell(listing, type);
    });
    this.quiet.follow(order, steps);
    return listing;
  }

  async tell({ listingId, order }: MockListing, type: string): Promise<void> {
    const attachmentIds = type.includes('Attachment') ? [goodAnswers.getListingAttachment.attachmentId] : [];
    await this.teller?.(order, { type, listingId: String(listingId), attachmentIds });
  }

  askForRates(draft: Draft): string {
    this.rateRequests.push(draft);
    return toHex(this.rateRequests.length - 1, 24);
  }

  /** A repeated status call names the same listing. */
  bookedListing(rateId: string): MockListing {
    const draft = this.rateRequests[Number.parseInt(rateId.slice(0, 16), 16)];
    if (draft === undefined) throw new Error(`the mock knows no rate ${rateId}`);
    const order = orderOf(draft);
    const known = [...this.listings.values()].findLast((listing) => listing.order === order);
    if (known !== undefined) return known;
    const listing = this.createListing(draft, goodRate().totalPrice.value);
    listing.state = { ...listing.state, isBooked: true };
    return listing;
  }
}

interface Asked {
  /** The first id of the path. */
  readonly id: string;
  readonly body: string;
}
type Take = (mock: MockMarketplace, asked: Asked) => MockAnswer;

function goodRate() {
  const [rate] = goodAnswers.listRates.items;
  if (rate === undefined) throw new TypeError('the tests have no good rate');
  return rate;
}

const orderOf = ({ referenceNumbers }: Draft): string =>
  referenceNumbers.find(({ type }) => type === ORDER_REFERENCE_TYPE)?.number ?? '';
const toHex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const ok = (body: object | Buffer): MockAnswer => ({ status: 200, body });
const at = (status: number, location: string): MockAnswer => ({ status, headers: { location } });
const readDraft = (body: string): Draft => draftShape.parse(JSON.parse(body));

const ROUTES: readonly (readonly [RegExp, Take])[] = [
  [/^GET \/v2\/listings\/(\d+)$/, (mock, { id }) => ok(recordOf(mock.readListing(id)))],
  [/^GET \/v2\/listings\/(\d+)\/track$/, (mock, { id }) => ok(mock.readTracking(id))],
  [
    /^GET \/v2\/listings\/(\d+)\/contacts$/,
    (mock, { id }) => (mock.listingOf(id), ok(goodAnswers.getListingContacts)),
  ],
  [/^GET \/v2\/listings\/(\d+)\/billoflading$/, (mock, { id }) => ok(billOfLading(mock, id))],
  [/^GET \/v2\/listings\/(\d+)\/attachments\/\w+$/, (mock, { id }) => ok(attachment(mock, id))],
  [/^GET \/documents\/(\d+)$/, (mock, { id }) => (mock.listingOf(id), ok(PDF))],
  [/^GET \/listing\/track\/(\d+)\/trackinglink$/, (mock, { id }) => ok(trackingLink(mock, id))],
  [/^POST \/mvc\/authentication\/signin$/, () => ({ status: 200, headers: { 'set-cookie': 'session=1' } })],
  [/^POST \/v2\/fixedprice$/, (_mock, { body }) => ok(fixedPrice(body))],
  [
    /^POST \/v2\/listings$/,
    (mock, { body }) => {
      const { listingId } = mock.createListing(readDraft(body), goodAnswers.getFixedPrice.nypAmount);
      return at(201, `${mock.url}/v2/listings/${listingId}`);
    },
  ],
  [
    /^POST \/v2\/listings\/(\d+)\/images$/,
    (mock, { id }) => ({ status: 201, body: { totalCount: 1, items: [attachment(mock, id)] } }),
  ],
  [/^GET \/v2\/lookups\/addressTypes$/, () => ok(ADDRESS_TYPES)],
  [/^GET \/v2\/paymentmethods$/, () => ok(goodAnswers.listPaymentMethods)],
  [
    /^POST \/v2\/raterequests$/,
    (mock, { body }) => at(201, `${mock.url}/v2/raterequests/${mock.askForRates(readDraft(body))}/rates`),
  ],
  [/^GET \/v2\/raterequests\/(\w+)\/rates$/, (_mock, { id }) => ok(ratesOf(id))],
  [
    /^POST \/v2\/rates\/(\w+)\/acceptance$/,
    (mock, { id }) => at(202, `${mock.url}/v2/rates/${id}/acceptance/status/${EXECUTION_ID}`),
  ],
  [
    /^GET \/v2\/rates\/(\w+)\/acceptance\/status\/[\w-]+$/,
    (mock, { id }) => at(201, `${mock.url}/v2/listings/${mock.bookedListing(id).listingId}`),
  ],
];

function recordOf({ listingId, draft, price, state }: MockListing): object {
  const { isBooked, transit } = state;
  const { serviceProvider, billOfLadingNumber, cancellationLink, ...good } = goodAnswers.getListing;
  const cost = { ...good.totalCost, value: price };
  const weight = draft.items.reduce((sum, item) => sum + (item.weightInGrams ?? 0) * item.unitCount, 0);
  const whenBooked = {
    serviceProvider,
    billOfLadingNumber,
    cancellationLink,
    totalCost: cost,
    acceptedBidPrice: cost,
  };
  return {
    ...good,
    ...{ listingId, route: draft.route, referenceNumbers: draft.referenceNumbers, namedPrice: cost },
    status: trio(isBooked ? 'Booked' : 'Active'),
    transitStatus: transit === null ? null : trio(transit),
    totalWeightInGrams: { value: weight },
    ...(isBooked ? whenBooked : { bookedOn: null, totalCost: null, acceptedBidPrice: null }),
  };
}

function billOfLading(mock: MockMarketplace, id: string): object {
  return { ...goodAnswers.getBillOfLading, document: { href: documentUrl(mock, id) } };
}

function attachment(mock: MockMarketplace, id: string): object {
  return { ...goodAnswers.getListingAttachment, uri: documentUrl(mock, id) };
}

const documentUrl = (mock: MockMarketplace, id: string): string =>
  `${mock.url}/documents/${mock.listingOf(id).listingId}`;

function trackingLink(mock: MockMarketplace, id: string): object {
  return { TrackingLinkUrl: `${mock.url}/t/${mock.listingOf(id).listingId}` };
}

/** The premium is for the requested coverage. */
function fixedPrice(body: string): object {
  const { insurance } = coverageShape.parse(JSON.parse(body));
  const { insuranceQuote, ...price } = goodAnswers.getFixedPrice;
  return insurance === undefined ? price : { ...price, insuranceQuote: { ...insuranceQuote, ...insurance } };
}

function ratesOf(rateRequestId: string): object {
  const [created, expires] = [0, 7 * DAY_MS].map((inMs) => new Date(Date.now() + inMs).toISOString());
  const request = toHex(Number.parseInt(rateRequestId, 16), 16);
  const items = Array.from({ length: RATES }, (_, index) => ({
    ...{ ...goodRate(), created, expires, id: `${request}${toHex(index, 8)}` },
  }));
  return { totalCount: items.length, items };
}

/** Listens on a free port of this machine. */
export async function startMockMarketplace(options: MockOptions, onClose: OnClose): Promise<MockMarketplace> {
  const mock = new MockMarketplace(options);
  onClose(async () => await Promise.resolve(mock.quiet.close()));
  const server = createServer((request, response) => {
    mock.take(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  mock.url = await listenOnFreePort(server, onClose);
  return mock;
}
