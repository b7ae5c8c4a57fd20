import type { Logger } from 'pino';
import { Acceptances } from './acceptances';
import { Accounts, type SandboxAccount } from './accounts';
import { Acts, type ActInput } from './acts';
import { Addresses } from './addresses';
import { Chaos, type ChaosInput } from './chaos';
import { SandboxClock, type ClockSettings } from './clock';
import { EventAccidents } from './event-accidents';
import { Events } from './events';
import { Faults, type FaultInput } from './faults';
import { findOrder, writeLedger, type Ledger, type OrderLedger } from './ledger';
import { ShipmentLife } from './life';
import { Mishaps } from './mishaps';
import { OrderHistory } from './order-history';
import { PaperSteps } from './paper-steps';
import { Paperwork } from './paperwork';
import { RandomPerSubject, SeededRandom } from './random';
import { Records } from './records';
import { RequestLog } from './request-log';
import { Store } from './store';
import { applySwitches, defaultSwitches, type SandboxSwitches, type SwitchChanges } from './switches';
import { Webhooks, type WebhookInput } from './deliveries';
import { Wording } from './wording';

/** What a sandbox starts with, and goes back to when it is reset. */
export interface StartingPoint {
  readonly seed: string;
  readonly accounts: readonly SandboxAccount[];
  readonly clock: ClockSettings;
  readonly switches: SwitchChanges;
  readonly faults: readonly FaultInput[];
  readonly acts: readonly ActInput[];
  readonly chaos?: ChaosInput;
  readonly webhooks: readonly WebhookInput[];
  readonly logger: Logger;
}

/** The marketplace without its server: all parts, wired once. */
export class SandboxContext {
  readonly switches: SandboxSwitches = structuredClone(defaultSwitches);
  readonly wording = new Wording(this.switches);
  readonly faults = new Faults();
  readonly acts: Acts;
  readonly requests = new RequestLog();
  readonly history = new OrderHistory();
  readonly chaos = new Chaos();
  readonly clock: SandboxClock;
  readonly accounts: Accounts;
  readonly addresses: Addresses;
  readonly store: Store;
  readonly records: Records;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly paperwork: Paperwork;
  readonly life: ShipmentLife;
  readonly mishaps: Mishaps;
  readonly acceptances: Acceptances;
  readonly logger: Logger;
  readonly seed: string;
  /** Draws the prices of rates, each order's own. */
  readonly rateRandom: RandomPerSubject;

  constructor(private readonly start: StartingPoint) {
    const { seed, logger } = start;
    const { switches, wording } = this;
    this.seed = seed;
    this.rateRandom = new RandomPerSubject(`rates ${seed}`);
    this.logger = logger;
    this.clock = new SandboxClock((error) => logger.error({ err: error }, 'a step of the clock failed'));
    const { clock } = this;
    this.acts = new Acts(start.accounts.map(({ name }) => name));
    this.accounts = new Accounts(start.accounts, switches, new SeededRandom(`tokens ${seed}`));
    this.addresses = new Addresses(`addresses ${seed}`, switches);
    const { addresses } = this;
    this.store = new Store(seed, new SeededRandom(`ids ${seed}`));
    const { store } = this;
    this.records = new Records({ addresses, switches, wording });
    const { records } = this;
    const accidents = new EventAccidents({
      switches,
      wording,
      random: new SeededRandom(`event accidents ${seed}`),
    });
    this.webhooks = new Webhooks({
      accidents,
      clock,
      switches,
      random: new RandomPerSubject(`webhooks ${seed}`),
    });
    const { webhooks } = this;
    this.events = new Events({ addresses, records, store, switches, webhooks, wording });
    const { events } = this;
    this.paperwork = new Paperwork({ events, history: this.history, store, switches });
    this.life = new ShipmentLife({
      clock,
      events,
      history: this.history,
      paperSteps: new PaperSteps({ clock, paperwork: this.paperwork, switches }),
      random: new RandomPerSubject(`life ${seed}`),
      store,
      switches,
    });
    this.mishaps = new Mishaps({ clock, life: this.life });
    this.acceptances = new Acceptances({ clock, life: this.life, store, switches });
    this.#applyStart();
  }

  ledger(): Ledger {
    return writeLedger(this.store, this.history, this.requests.counts());
  }

  order(reference: string): OrderLedger {
    return findOrder(this.store, this.history, reference);
  }

  /** Forgets what happened and goes back to the starting point; ids go on, so that an old one never comes back. */
  reset(): void {
    this.clock.clear();
    this.store.clear();
    this.requests.clear();
    this.history.clear();
    this.webhooks.forgetEvents();
    this.webhooks.removeAll();
    this.faults.clear();
    this.acts.clear();
    this.accounts.restoreKeys();
    this.#applyStart();
  }

  #applyStart(): void {
    const { acts, clock, faults, switches, webhooks } = this.start;
    this.clock.restoreDefaults();
    this.clock.configure(clock);
    applySwitches(this.switches, structuredClone(defaultSwitches));
    applySwitches(this.switches, structuredClone(switches));
    this.chaos.configure(this.start.chaos);
    for (const fault of faults) this.faults.add(fault);
    for (const act of acts) this.acts.add(act);
    for (const webhook of webhooks) this.webhooks.add(webhook);
  }
}
