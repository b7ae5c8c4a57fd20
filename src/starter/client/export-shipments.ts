import type { Client } from '@temporalio/client';
import { shipmentStateQuery } from '../../contract/messages';
import { SHIPMENTS_FILTER } from '../../contract/search-attributes';
import { addDays } from '../../domain/calendar';
import { proNumberOf } from '../../domain/listing';
import { decimalOf, type Money } from '../../domain/money';
import { billOfLadingNumber, carrierName, customerPrice, listingCost } from '../../domain/shipment-result';
import { isBooked, type ShipmentState } from '../../domain/shipment-state';
import type { IsoDate, IsoInstant } from '../../domain/shipment';
import { isAccountName } from '../../domain/workflow-id';
import { isDate } from '../../orders/dates';
import { UserError } from '../../platform/user-error';
import { inParallel } from './in-parallel';
import { answerOf } from './last-run';
import { eachShipment, type ShipmentSummary } from './list-shipments';
import { canShipmentsAnswer } from './pollers';

/** Which orders are exported: those placed on these days, which are days of UTC. */
export interface ExportOptions {
  readonly from: IsoDate;
  /** The last day. */
  readonly to: IsoDate;
  /** Only the orders of this account. */
  readonly account?: string | undefined;
}

/**
 * One exported order: ids, states, prices and times; no names of people, phones or addresses. A value that is not
 * known is null.
 */
export interface ExportedShipment {
  readonly order: string;
  readonly account: string;
  readonly kind: string | null;
  readonly phase: string | null;
  readonly status: string;
  readonly transitStatus: string | null;
  readonly carrier: string | null;
  readonly listing: string | null;
  readonly billOfLading: string | null;
  readonly proNumber: string | null;
  /** What the customer saw: the total of the fixed price, or the chosen rate. Decimal, as the other amounts. */
  readonly quotedAmount: string | null;
  readonly quotedCurrency: string | null;
  /** Of the booking, by the marketplace's record; for LTL else the accepted rate. */
  readonly acceptedAmount: string | null;
  readonly acceptedCurrency: string | null;
  /** By the marketplace's record now: the corrected price, else the accepted, else the listed one. */
  readonly currentAmount: string | null;
  readonly currentCurrency: string | null;
  /** When the order was placed. */
  readonly created: IsoInstant;
  readonly booked: IsoInstant | null;
  readonly pickedUp: IsoInstant | null;
  readonly delivered: IsoInstant | null;
  /** Whether a worker answered: else everything is null that only the shipment's own state has. */
  readonly isComplete: boolean;
}

/** How many workers' answers are awaited at once. */
const AT_ONCE = 8;
/** For one answer: a worker first replays an order that has ended, and an export asks for many of them. */
const PATIENCE_MS = 15_000;

/**
 * The orders that were placed on some days, the last placed first.
 * @throws UserError when a day or the account's name is invalid
 */
export async function* exportShipments(
  client: Client,
  options: ExportOptions,
): AsyncGenerator<ExportedShipment, void, void> {
  const query = queryOf(options);
  const canAnswer = await canShipmentsAnswer(client);
  yield* inParallel(placedWithin(options, eachShipment(client, query)), AT_ONCE, async (summary) => {
    const { workflowId } = summary;
    const state = canAnswer ? await answerOf(client, { workflowId }, shipmentStateQuery, PATIENCE_MS) : null;
    return exportedOf(summary, state);
  });
}

function queryOf({ from, to, account }: ExportOptions): string {
  for (const day of [from, to])
    if (!isDate(day)) throw new UserError(`${day} is not a day: write it as YYYY-MM-DD, such as 2035-03-09.`);
  if (from > to) throw new UserError(`The first day, ${from}, is after the last day, ${to}.`);
  if (account !== undefined && !isAccountName(account))
    throw new UserError('The name of an account consists of small letters, digits and dashes.');
  // The last run of an order may have begun long after the order was placed.
  const begun = `StartTime >= '${from}T00:00:00Z'`;
  return [SHIPMENTS_FILTER, begun, ...(account === undefined ? [] : [`Account = '${account}'`])].join(
    ' AND ',
  );
}

async function* placedWithin(
  { from, to }: ExportOptions,
  summaries: AsyncIterable<ShipmentSummary>,
): AsyncGenerator<ShipmentSummary, void, void> {
  const end = `${addDays(to, 1)}T`;
  for await (const summary of summaries)
    if (summary.startedAt >= `${from}T` && summary.startedAt < end) yield summary;
}

const amountOf = (money: Money | null): string | null => (money === null ? null : decimalOf(money));

/** The exported columns of one order. Pure. */
export function exportedOf(summary: ShipmentSummary, state: ShipmentState | null): ExportedShipment {
  const { orderId, account, kind, phase, status, listingId, startedAt } = summary;
  const listing = state?.listing ?? null;
  const quoted = state === null ? null : customerPrice(state);
  const accepted = state === null ? null : acceptedPrice(state);
  const current = state === null ? null : listingCost(state);
  return {
    ...{ order: orderId, account, kind, phase, status },
    transitStatus: listing?.transitStatus ?? null,
    carrier: state === null ? null : carrierName(state),
    listing: listingId,
    billOfLading: state === null ? null : (billOfLadingNumber(state) ?? listing?.billOfLadingNumber ?? null),
    proNumber: listing === null ? null : proNumberOf(listing),
    ...{ quotedAmount: amountOf(quoted), quotedCurrency: quoted?.currency ?? null },
    ...{ acceptedAmount: amountOf(accepted), acceptedCurrency: accepted?.currency ?? null },
    ...{ currentAmount: amountOf(current), currentCurrency: current?.currency ?? null },
    ...{ created: startedAt, booked: state?.bookedAt ?? null, pickedUp: state?.pickedUpAt ?? null },
    delivered: state !== null && 'deliveredAt' in state.at ? state.at.deliveredAt : null,
    isComplete: state !== null,
  };
}

/** An order that is not booked has no accepted price. */
const acceptedPrice = (state: ShipmentState): Money | null =>
  isBooked(state) ? (state.listing?.acceptedPrice ?? state.agreedPrice?.price ?? null) : null;
