import type { Logger } from 'pino';
import { Acceptances } from '../carrier/acceptances';
import { Carrier } from '../carrier/carrier';
import { Papers } from '../carrier/papers';
import { writeListing, type LedgerListing } from '../ledger/ledger';
import { OrderHistory } from '../ledger/order-history';
import { RequestLog } from '../ledger/request-log';
import { Accounts, type SandboxAccount } from '../model/accounts';
import { Addresses } from '../model/addresses';
import { SandboxClock, type ClockSettings } from '../model/clock';
import { ApiProblem } from '../model/errors';
import { RandomPerSubject, SeededRandom } from '../model/random';
import { Store } from '../model/store';
import { applySwitches, defaultSwitches, type SandboxSwitches, type SwitchChanges } from '../model/switches';
import { Labels } from '../records/enum-labels';
import { Records } from '../records/records';
import { deeds, isOneOf, listingTroubles, type TroubleInput } from '../troubles/trouble';
import { Troubles, type Occasion, type StandingTrouble } from '../troubles/troubles';
import { Webhooks, type SentEvent, type WebhookInput } from '../webhooks/deliveries';
import { EventTroubles } from '../webhooks/event-troubles';
import { Events } from '../webhooks/events';
import { doDeed } from './deeds';

/** What a sandbox starts with, and goes back to when it is reset. */
export interface StartingPoint {
  readonly seed: string;
  readonly accounts: readonly SandboxAccount[];
  readonly clock: ClockSettings;
  readonly switches: SwitchChanges;
  readonly troubles: readonly TroubleInput[];
  readonly webhooks: readonly WebhookInput[];
  readonly logger: Logger;
}

/** A trouble, and what it made where it happened at once. */
export type AddedTrouble = StandingTrouble & {
  readonly listings?: readonly LedgerListing[];
  readonly events?: readonly SentEvent[];
};

/** The marketplace without its server: all parts, wired once. */
export class SandboxContext {
  readonly switches: SandboxSwitches = structuredClone(defaultSwitches);
  readonly labels = new Labels(this.switches);
  readonly troubles = new Troubles();
  readonly requests = new RequestLog();
  readonly history = new OrderHistory();
  readonly clock: SandboxClock;
  readonly accounts: Accounts;
  readonly addresses: Addresses;
  readonly store: Store;
  readonly records: Records;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly papers: Papers;
  readonly carrier: Carrier;
  readonly acceptances: Acceptances;
  /** Draws the prices of rates, each order's own. */
  readonly rateRandom: RandomPerSubject;

  constructor(readonly start: StartingPoint) {
    const { seed, logger } = start;
    const { switches } = this;
    this.rateRandom = new RandomPerSubject(`rates ${seed}`);
    this.clock = new SandboxClock((error) => logger.error({ err: error }, 'a step of the clock failed'));
    this.accounts = new Accounts(start.accounts, switches, new SeededRandom(`tokens ${seed}`));
    this.addresses = new Addresses(`addresses ${seed}`, switches);
    this.store = new Store(seed, new SeededRandom(`ids ${seed}`));
    this.records = new Records(this);
    const eventTroubles = new EventTroubles(this, new SeededRandom(`event accidents ${seed}`));
    this.webhooks = new Webhooks(this, eventTroubles, new RandomPerSubject(`webhooks ${seed}`));
    this.events = new Events(this);
    this.papers = new Papers(this);
    this.carrier = new Carrier(this, this.papers, new RandomPerSubject(`life ${seed}`));
    this.acceptances = new Acceptances(this, this.carrier);
    this.#applyStart();
  }

  /** Without a `when` it happens now. @throws ApiProblem where it names an account or a listing that does not exist */
  addTrouble(input: TroubleInput): AddedTrouble {
    const trouble = this.troubles.add(input);
    const { when, whom = {}, what } = trouble;
    try {
      if (whom.account !== undefined) this.accounts.named(whom.account);
      if (when !== undefined || !isOneOf(what, [...deeds, ...listingTroubles])) return trouble;
      const made = doDeed(this, what, whom);
      if (made === undefined) throw new ApiProblem(404, `There is nothing for ${what.kind} to happen to.`);
      trouble.hits = 1;
      const { events = [], listings = [] } = made;
      return { ...trouble, events, listings: listings.map(writeListing) };
    } catch (error) {
      this.troubles.remove(trouble.id);
      throw error;
    }
  }

  /** To be called when a request was acted on and before it is answered. */
  performDeeds(occasion: Occasion): void {
    const { reference, listingId } = occasion;
    this.troubles.strikeEach(occasion, deeds, ({ what, whom }) => {
      return doDeed(this, what, { order: reference, listing: listingId, ...whom }) !== undefined;
    });
  }

  /** Forgets what happened and returns to the starting point; ids continue, and an old one never comes back. */
  reset(): void {
    this.clock.clear();
    this.store.clear();
    this.requests.clear();
    this.history.clear();
    this.webhooks.forgetEvents();
    this.webhooks.list = [];
    this.troubles.clear();
    this.accounts.restoreKeys();
    this.#applyStart();
  }

  #applyStart(): void {
    const { clock, switches, troubles, webhooks } = this.start;
    this.clock.restoreDefaults();
    this.clock.configure(clock);
    applySwitches(this.switches, defaultSwitches);
    applySwitches(this.switches, switches);
    for (const trouble of troubles) this.addTrouble(trouble);
    for (const webhook of webhooks) this.webhooks.add(webhook);
  }
}
