import type { OrderHistory } from '../ledger/order-history';
import type { SandboxClock } from '../model/clock';
import type { Store } from '../model/store';
import type { SandboxSwitches } from '../model/switches';
import type { Troubles } from '../troubles/troubles';
import type { Events } from '../webhooks/events';

export interface Parts {
  readonly clock: SandboxClock;
  readonly events: Events;
  readonly history: OrderHistory;
  readonly store: Store;
  readonly switches: SandboxSwitches;
  readonly troubles: Troubles;
}
