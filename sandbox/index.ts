import { pino, type Logger } from 'pino';
import { judge, type Ledger, type OrderLedger, type Verdict } from './ledger/ledger';
import type { RecordedRequest } from './ledger/request-log';
import { SandboxContext, type AddedTrouble } from './market/context';
import { Controls } from './market/controls';
import { defaultAccount, type SandboxAccount } from './model/accounts';
import { clockSchema, type ClockSettings } from './model/clock';
import {
  applySwitches,
  switchChangesSchema,
  type SandboxSwitches,
  type SwitchChanges,
} from './model/switches';
import { createServer } from './routes/server';
import type { TroubleInput } from './troubles/trouble';
import type { StandingTrouble } from './troubles/troubles';
import type { SentEvent, Webhook, WebhookInput } from './webhooks/deliveries';
import type { Deliveries } from './webhooks/delivery-counts';

export type {
  Ledger,
  LedgerAcceptance,
  LedgerListing,
  LedgerRateRequest,
  OrderLedger,
  Verdict,
} from './ledger/ledger';
export type { TroubleHit } from './ledger/order-history';
export type { RecordedRequest } from './ledger/request-log';
export type { AddedTrouble } from './market/context';
export type {
  AdvanceInput,
  AttachmentInput,
  Controls,
  DeliveryTimeFrameInput,
  EventInput,
  LocationInput,
  PriceInput,
  ReferenceInput,
} from './market/controls';
export type { SandboxAccount } from './model/accounts';
export type { ClockSettings, ClockStep, ClockSteps } from './model/clock';
export type { ReferenceType } from './model/codes';
export type { JsonObject } from './model/json';
export type { Operation } from './model/operations';
export type { ReferenceNumber } from './model/state';
export type { OrderSwitches, SandboxSwitches, SwitchChanges } from './model/switches';
export type { Trouble, TroubleInput, WhatInput, WhenInput, WhomInput } from './troubles/trouble';
export type { StandingTrouble } from './troubles/troubles';
export type { DeliveryAttempt, SentEvent, Webhook, WebhookInput } from './webhooks/deliveries';
export type { Deliveries, DeliveryCounts } from './webhooks/delivery-counts';
export type { OddEvent } from './webhooks/event-troubles';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where clients reach the sandbox, if not where it listens: in front of a proxy or a container's port. */
  readonly publicUrl?: string;
  /** The same seed gives the same ids, prices and troubles. */
  readonly seed?: string | number;
  readonly clock?: ClockSettings;
  readonly switches?: SwitchChanges;
  readonly troubles?: readonly TroubleInput[];
  readonly webhooks?: readonly WebhookInput[];
  /** Shippers in place of the default one; user id and currency may be left out, credentials are what is given. */
  readonly accounts?: readonly (Pick<SandboxAccount, 'name'> & Partial<SandboxAccount>)[];
  /** In place of the first account's keys. */
  readonly apiKeys?: readonly string[];
  readonly logger?: Logger;
}

/** A running sandbox; what its control routes do over HTTP, this does in the process. */
export interface Sandbox {
  readonly url: string;
  readonly port: number;
  readonly controls: Controls;
  ledger(): Ledger;
  /** What was really created for one order; empty, not undefined, where nothing was. */
  order(reference: string): OrderLedger;
  requests(endpoint?: string): readonly RecordedRequest[];
  events(): readonly SentEvent[];
  deliveries(): Deliveries;
  /** Adds something that goes wrong; without a `when` it happens now. */
  trouble(trouble: TroubleInput): AddedTrouble;
  /** Every trouble, with how often it struck. */
  troubles(): readonly StandingTrouble[];
  clearTroubles(): void;
  verdict(): Verdict;
  addWebhook(webhook: WebhookInput): Webhook;
  setSwitches(changes: SwitchChanges): SandboxSwitches;
  setClock(settings: ClockSettings): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = {}, switches = {}, troubles = [], webhooks = [] } = options;
  const context = new SandboxContext({
    seed: String(options.seed ?? 1),
    accounts: accountsOf(options),
    clock: clockSchema.parse(clock),
    switches: switchChangesSchema.parse(switches),
    ...{ troubles, webhooks },
    logger: options.logger ?? pino({ level: 'silent' }),
  });
  const controls = new Controls(context);
  const app = await createServer(context, controls);
  const listening = await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  context.addresses.setBase(
    options.publicUrl ?? listening.replace(/\/\/(0\.0\.0\.0|\[::\])/u, '//127.0.0.1'),
  );
  return {
    url: context.addresses.base,
    port: Number(new URL(listening).port),
    controls,
    ledger: () => context.ledger(),
    order: (reference) => context.order(reference),
    requests: (endpoint) => context.requests.list(endpoint),
    events: () => context.webhooks.events(),
    deliveries: () => context.webhooks.deliveries(),
    trouble: (trouble) => context.addTrouble(trouble),
    troubles: () => context.troubles.list(),
    clearTroubles: () => context.troubles.clear(),
    verdict: () => judge(context.ledger()),
    addWebhook: (webhook) => context.webhooks.add(webhook),
    setSwitches: (changes) => {
      applySwitches(context.switches, switchChangesSchema.parse(changes));
      return context.switches;
    },
    setClock: (settings) => context.clock.configure(clockSchema.parse(settings)),
    reset: () => context.reset(),
    close: async () => {
      context.clock.clear();
      await context.webhooks.close();
      await app.close();
      context.clock.clear();
    },
  };
}

/** Credentials are never shared: a second account has none but its own. */
function accountsOf({ accounts, apiKeys }: SandboxOptions): readonly SandboxAccount[] {
  const none = { apiKeys: [], clients: [], users: [] };
  return (accounts ?? [defaultAccount]).map((given, index) => {
    const account = { ...defaultAccount, ...none, userId: defaultAccount.userId + index, ...given };
    return index > 0 || apiKeys === undefined ? account : { ...account, apiKeys };
  });
}
