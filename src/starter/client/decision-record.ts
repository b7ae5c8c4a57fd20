import type { ListingRecord } from '../../domain/listing';
import type { IsoInstant } from '../../domain/shipment';
import { byCodeUnits } from '../../domain/text-order';
import { activityCalls, type ActivityCall, type OrderRecord } from './order-record';
import { instantOfProto } from './public-words';

/** A person's message to the shipment, with everything that the person stated. */
export interface PersonDecision {
  readonly at: IsoInstant | null;
  /** Name of the update, such as `approvePrice`. */
  readonly what: string;
  /** As sent; null when it cannot be decoded. */
  readonly said: Readonly<Record<string, unknown>> | null;
}

/** A call of the marketplace, as the workflow gave it to its activity. */
export interface SentRequest {
  readonly at: IsoInstant | null;
  readonly call: string;
  /** Null when it cannot be decoded. */
  readonly input: unknown;
  readonly endedAt: IsoInstant | null;
  readonly outcome: 'completed' | 'failed' | 'pending';
  readonly result: unknown;
  readonly failure: string | null;
}

/** The prices of the listing's record, as a reading showed them. */
export interface SeenPrices extends Pick<
  ListingRecord,
  'listingId' | 'namedPrice' | 'acceptedPrice' | 'totalCost'
> {
  readonly at: IsoInstant | null;
}

type RecordedRuns = Pick<OrderRecord, 'runs' | 'payloads'>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every update that the workflow accepted, in order. */
export async function personDecisions({ runs, payloads }: RecordedRuns): Promise<PersonDecision[]> {
  const decisions: PersonDecision[] = [];
  for (const { eventTime, workflowExecutionUpdateAcceptedEventAttributes: accepted } of runs.flat()) {
    const input = accepted?.acceptedRequest?.input;
    if (input == null) continue;
    const said = await payloads.readFirst(input.args);
    decisions.push({
      at: instantOfProto(eventTime),
      what: input.name ?? '',
      said: isObject(said) ? said : null,
    });
  }
  return decisions;
}

/** The calls that ask for prices, place the order, or change what was placed. */
const REQUESTS: ReadonlySet<string> = new Set([
  ...['getFixedPrice', 'createListing', 'updateListing', 'deleteListing', 'uploadListingImage'],
  ...['createRateRequest', 'acceptRate'],
]);

export async function sentRequests(record: RecordedRuns): Promise<SentRequest[]> {
  const calls = record.runs.flatMap((events) => [...activityCalls(events).values()]);
  return await Promise.all(
    calls.filter(({ name }) => REQUESTS.has(name)).map(async (call) => await requestOf(record, call)),
  );
}

async function requestOf(
  { payloads }: RecordedRuns,
  { name, scheduledAt, input, end }: ActivityCall,
): Promise<SentRequest> {
  const completed = end?.activityTaskCompletedEventAttributes;
  const failure =
    end?.activityTaskFailedEventAttributes?.failure ?? end?.activityTaskTimedOutEventAttributes?.failure;
  return {
    at: instantOfProto(scheduledAt),
    call: name,
    input: (await payloads.read(input)) ?? null,
    endedAt: instantOfProto(end?.eventTime),
    outcome: end === null ? 'pending' : completed == null ? 'failed' : 'completed',
    result: (await payloads.readFirst(completed?.result)) ?? null,
    failure: (await payloads.readMessage(failure)) ?? null,
  };
}

const READINGS: ReadonlySet<string> = new Set(['getListing', 'watchListing']);

/** The prices of every reading that differ from those of the reading before. */
export async function seenPrices({ runs, payloads }: RecordedRuns): Promise<SeenPrices[]> {
  const readings: SeenPrices[] = [];
  for (const { name, end } of runs.flatMap((events) => [...activityCalls(events).values()])) {
    if (!READINGS.has(name)) continue;
    const result = await payloads.readFirst(end?.activityTaskCompletedEventAttributes?.result);
    if (!isRecord(result)) continue;
    const { listingId, namedPrice, acceptedPrice, totalCost } = result;
    readings.push({ at: instantOfProto(end?.eventTime), listingId, namedPrice, acceptedPrice, totalCost });
  }
  // A poll begins long before its reading, so the order of the calls is another one.
  const sorted = readings.toSorted((a, b) => byCodeUnits(a.at ?? '', b.at ?? ''));
  const pricesOf = (reading: SeenPrices | undefined): string => JSON.stringify({ ...reading, at: null });
  return sorted.filter((reading, index) => pricesOf(reading) !== pricesOf(sorted[index - 1]));
}

const isRecord = (result: unknown): result is ListingRecord =>
  isObject(result) && typeof result.listingId === 'string' && 'namedPrice' in result;
