import { pino, type Logger } from 'pino';
import { findOrder, judge, writeLedger, type Ledger, type Verdict } from './ledger/ledger';
import { SandboxContext } from './market/context';
import { Controls } from './market/controls';
import { defaultAccount, type SandboxAccount } from './model/accounts';
import type { ClockSettings } from './model/clock';
import { applySwitches, type SwitchChanges } from './model/switches';
import { createServer } from './routes/server';
import type { TroubleInput } from './troubles/trouble';
import type { StandingTrouble } from './troubles/troubles';
import type { Deliveries, SentEvent, WebhookInput } from './webhooks/deliveries';

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
export type { Deliveries, DeliveryAttempt, SentEvent, Webhook, WebhookInput } from './webhooks/deliveries';
export type { DeliveryCounts } from './webhooks/delivery-counts';
export type { OddEvent } from './webhooks/event-troubles';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where clients reach the sandbox, if not where it listens: in front of a proxy or a container's port. */
  readonly publicUrl?: string;
  /** The same seed gives the same ids, prices and troubles. */
  readonly seed?: string | number;
  /** Shippers in place of the default one; user id and currency may be left out, credentials are what is given. */
  readonly accounts?: readonly (Pick<SandboxAccount, 'name'> & Partial<SandboxAccount>)[];
  /** In place of the first account's keys. */
  readonly apiKeys?: readonly string[];
  readonly clock?: ClockSettings;
  readonly switches?: SwitchChanges;
  readonly troubles?: readonly TroubleInput[];
  readonly webhooks?: readonly WebhookInput[];
  readonly logger?: Logger;
}

/** A running sandbox; what its control routes do over HTTP, this does in the process. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export async function startSandbox(options: SandboxOptions = {}) {
  const { clock = {}, switches = {}, troubles = [], webhooks = [] } = options;
  const context = new SandboxContext({
    seed: String(options.seed ?? 1),
    accounts: accountsOf(options),
    ...{ clock, switches, troubles, webhooks },
    logger: options.logger ?? pino({ level: 'silent' }),
  });
  const controls = new Controls(context);
  const app = await createServer(context, controls);
  const listening = await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const url = options.publicUrl ?? listening.replace(/\/\/(0\.0\.0\.0|\[::\])/u, '//127.0.0.1');
  context.addresses.base = url.replace(/\/+$/u, '');
  return {
    url: context.addresses.base,
    port: Number(new URL(listening).port),
    controls,
    ledger: (): Ledger => writeLedger(context),
    /** What was really created for one order; empty, not undefined, where nothing was. */
    order: (reference: string) => findOrder(context, reference),
    requests: (endpoint?: string) => context.requests.list(endpoint),
    events: (): readonly SentEvent[] => context.webhooks.events,
    deliveries: (): Deliveries => context.webhooks.deliveries(),
    /** Adds something that goes wrong; without a `when` it happens now. */
    trouble: (trouble: TroubleInput) => context.addTrouble(trouble),
    /** Every trouble, with how often it struck. */
    troubles: (): readonly StandingTrouble[] => context.troubles.list,
    clearTroubles: () => context.troubles.clear(),
    verdict: (): Verdict => judge(writeLedger(context)),
    addWebhook: (webhook: WebhookInput) => context.webhooks.add(webhook),
    setSwitches: (changes: SwitchChanges) => applySwitches(context.switches, changes),
    setClock: (settings: ClockSettings) => context.clock.configure(settings),
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
