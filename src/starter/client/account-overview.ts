import type { Client } from '@temporalio/client';
import { shipmentStateQuery } from '../../contract/messages';
import { SHIPMENTS_FILTER } from '../../contract/search-attributes';
import { accountPauseWorkflowId } from '../../domain/workflow-id';
import { mapAtOnce } from '../../platform/at-once';
import { answerOf, describeLast } from './last-run';
import { countShipments, listShipments } from './list-shipments';
import { canShipmentsAnswer } from './pollers';

/** How an account is, and how well its events arrive. */
export interface AccountOverview {
  readonly account: string;
  /** Open shipments. */
  readonly open: number;
  /** Why shipments wait for the account, and what to do; null when none waits. */
  readonly paused: string | null;
  /** Of the newest shipments, open or ended, that a worker answered for. */
  readonly events: EventMeter;
}

/** What became of the events of some shipments. */
export interface EventMeter {
  /** How many shipments were read. */
  readonly shipments: number;
  readonly taken: number;
  /** They came more than once. */
  readonly doubled: number;
  /** Refused, because an event with the same id and other content came before. */
  readonly quarantined: number;
  /** Changes that a read of the listing found and no event announced. */
  readonly repairs: number;
}

const AT_ONCE = 8;
const NO_EVENTS: EventMeter = { shipments: 0, taken: 0, doubled: 0, quarantined: 0, repairs: 0 };

/** How many of the newest shipments are read. */
export const METERED_SHIPMENTS = 100;

/** Reads the state of the newest shipments of an account, `limit` of them. */
export async function accountOverview(
  client: Client,
  account: string,
  limit: number,
): Promise<AccountOverview> {
  const query = `${SHIPMENTS_FILTER} AND Account = '${account}'`;
  const [open, newest, pause, canAnswer] = await Promise.all([
    countShipments(client, `${query} AND ExecutionStatus = 'Running'`),
    listShipments(client, { query, limit }),
    describeLast(client, accountPauseWorkflowId(account)),
    canShipmentsAnswer(client),
  ]);
  const asked = canAnswer ? newest : [];
  const states = await mapAtOnce(
    asked,
    AT_ONCE,
    async ({ workflowId }) => await answerOf(client, { workflowId }, shipmentStateQuery),
  );
  const paused = pause?.status.name === 'RUNNING' ? pause.memo?.waitingFor : null;
  return {
    ...{ account, open },
    paused: typeof paused === 'string' ? paused : null,
    events: states.reduce<EventMeter>(
      (sum, state) =>
        state === null
          ? sum
          : {
              shipments: sum.shipments + 1,
              taken: sum.taken + state.events.taken,
              doubled: sum.doubled + state.events.doubled,
              quarantined: sum.quarantined + state.events.quarantined,
              repairs: sum.repairs + state.repairs,
            },
      NO_EVENTS,
    ),
  };
}
