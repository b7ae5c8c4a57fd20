import type { Client } from '@temporalio/client';
import { shipmentQuery } from '../../contract/messages';
import { SHIPMENTS_FILTER } from '../../contract/search-attributes';
import { addDays } from '../../domain/calendar';
import { dueOn, type DueShipment } from '../../domain/due';
import type { IsoDate } from '../../domain/shipment';
import { mapAtOnce } from '../../platform/at-once';
import { answerOf } from './last-run';
import { countShipments, listShipments, type ShipmentSummary } from './list-shipments';
import { canShipmentsAnswer } from './pollers';

/** A shipment with what is due of it. */
export interface DueEntry extends DueShipment {
  readonly shipment: ShipmentSummary;
}

/** What is due on a day. */
export interface DueReport {
  readonly on: IsoDate;
  readonly entries: readonly DueEntry[];
  /** Open shipments that were asked; the newest ones, when there are more. */
  readonly looked: number;
  /** Of these, the ones for which no worker answered. */
  readonly unanswered: number;
  /** All open shipments whose pickup is near or past. */
  readonly open: number;
}

/** Which shipments are asked. */
export interface DueOptions {
  readonly on: IsoDate;
  /** A filter in Temporal's visibility language. */
  readonly query?: string | undefined;
  /** How many of the newest open shipments are asked. */
  readonly limit?: number;
}

const AT_ONCE = 8;
/** The first day of a pickup may be this long before its last day, by which Temporal finds it. */
const LONGEST_WINDOW_DAYS = 21;

/** The pickups and deliveries that are due on a day, what is late, and what has no papers. Asks a worker for each. */
export async function findDue(client: Client, { on, query, limit = 300 }: DueOptions): Promise<DueReport> {
  const wanted = [
    SHIPMENTS_FILTER,
    "ExecutionStatus = 'Running'",
    `PickupOn <= '${addDays(on, LONGEST_WINDOW_DAYS)}T00:00:00Z'`,
    ...(query === undefined ? [] : [`(${query})`]),
  ].join(' AND ');
  const [newest, open, canAnswer] = await Promise.all([
    listShipments(client, { query: wanted, limit }),
    countShipments(client, wanted),
    canShipmentsAnswer(client),
  ]);
  const asked = canAnswer ? newest : [];
  const found = await mapAtOnce(asked, AT_ONCE, async (shipment) => await ask(client, shipment, on));
  return {
    ...{ on, open, looked: newest.length },
    unanswered: newest.length - found.filter((one) => one !== null).length,
    entries: found.flatMap((one) => one?.entry ?? []),
  };
}

/** @returns null when no worker answers */
async function ask(
  client: Client,
  shipment: ShipmentSummary,
  on: IsoDate,
): Promise<{ readonly entry: DueEntry | null } | null> {
  const { workflowId } = shipment;
  const found = await answerOf(client, { workflowId }, shipmentQuery);
  if (found === null) return null;
  const due = dueOn(on, found.order, found.state);
  return { entry: due === null ? null : { shipment, ...due } };
}
