import { pino, type Logger } from 'pino';
import { defaultAccount, type SandboxAccount } from './accounts';
import type { ActInput, ScriptedAct } from './acts';
import type { ChaosInput } from './chaos';
import { clockSchema, type ClockSettings } from './clock';
import { SandboxContext } from './context';
import { Controls } from './controls';
import type { FaultInput, ScriptedFault } from './faults';
import type { Ledger, OrderLedger } from './ledger';
import type { RecordedRequest } from './request-log';
import { createServer } from './server';
import { applySwitches, switchChangesSchema, type SandboxSwitches, type SwitchChanges } from './switches';
import { judge, type Verdict } from './verdict';
import type { SentEvent, Webhook, WebhookInput } from './deliveries';

export type { SandboxAccount } from './accounts';
export type { Act, ActInput, ScriptedAct } from './acts';
export type { ChaosInput } from './chaos';
export type { ClockSettings, ClockStep, ClockSteps } from './clock';
export type { ReferenceType } from './codes';
export type {
  Controls,
  EventInput,
  AdvanceInput,
  MishapInput,
  PriceInput,
  LocationInput,
  ReferenceInput,
  AttachmentInput,
  DeliveryTimeFrameInput,
  BurstInput,
  CrowdedInput,
  ForeignInput,
} from './controls';
export type { Fault, FaultInput, ScriptedFault } from './faults';
export type { Ledger, LedgerAcceptance, LedgerListing, LedgerRateRequest, OrderLedger } from './ledger';
export type { Verdict } from './verdict';
export type { JsonObject } from './json';
export type { Operation } from './operations';
export type { FaultHit } from './order-history';
export type { OrderSwitches } from './order-switches';
export type { MishapKind, MishapOutcome } from './mishap-kinds';
export type { RecordedRequest } from './request-log';
export type { SandboxSwitches, SwitchChanges } from './switches';
export type { DeliveryCounts, EventAccident } from './delivery-counts';
export type { ReferenceNumber } from './state';
export type { DeliveryAttempt, SentEvent, Webhook, WebhookInput } from './deliveries';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where clients reach the sandbox, if not where it listens: in front of a proxy or a container's port. */
  readonly publicUrl?: string;
  /** The same seed gives the same ids, prices and accidents. */
  readonly seed?: string | number;
  readonly clock?: ClockSettings;
  readonly switches?: SwitchChanges;
  readonly faults?: readonly FaultInput[];
  /** What would be done by hand, planned after so many requests. */
  readonly acts?: readonly ActInput[];
  /** Random faults that repeat with their seed. */
  readonly chaos?: ChaosInput;
  readonly webhooks?: readonly WebhookInput[];
  /** Shippers in place of the default one; user id and currency may be left out, credentials are what is given. */
  readonly accounts?: readonly (Pick<SandboxAccount, 'name'> & Partial<SandboxAccount>)[];
  /** In place of the first account's keys. */
  readonly apiKeys?: readonly string[];
  /** In place of the first account's OAuth clients. */
  readonly clients?: SandboxAccount['clients'];
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
  addFault(fault: FaultInput): ScriptedFault;
  addAct(act: ActInput): ScriptedAct;
  clearFaults(): void;
  /** Sets the chaos profile and starts it anew; undefined ends it. */
  setChaos(chaos: ChaosInput | undefined): void;
  verdict(): Verdict;
  addWebhook(webhook: WebhookInput): Webhook;
  setSwitches(changes: SwitchChanges): SandboxSwitches;
  setClock(settings: ClockSettings): void;
  rotateKey(key: string, account?: string): void;
  expireTokens(): void;
  /** Ends web sessions and the tokens of users. */
  endSessions(): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { acts = [], clock = {}, faults = [], switches = {}, webhooks = [] } = options;
  const context = new SandboxContext({
    seed: String(options.seed ?? 1),
    accounts: accountsOf(options),
    clock: clockSchema.parse(clock),
    switches: switchChangesSchema.parse(switches),
    faults,
    acts,
    webhooks,
    ...(options.chaos === undefined ? {} : { chaos: options.chaos }),
    logger: options.logger ?? pino({ level: 'silent' }),
  });
  const controls = new Controls(context);
  const app = await createServer(context, controls);
  const listening = await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  context.addresses.setBase(
    options.publicUrl ?? listening.replace(/\/\/(0\.0\.0\.0|\[::\])/u, '//127.0.0.1'),
  );

  async function close(): Promise<void> {
    context.clock.clear();
    await context.webhooks.close();
    await app.close();
    context.clock.clear();
  }
  return {
    ...createHandle(context),
    url: context.addresses.base,
    port: Number(new URL(listening).port),
    controls,
    close,
  };
}

function createHandle(context: SandboxContext): Omit<Sandbox, 'url' | 'port' | 'controls' | 'close'> {
  return {
    ledger: () => context.ledger(),
    order: (reference) => context.order(reference),
    requests: (endpoint) => context.requests.list(endpoint),
    events: () => context.webhooks.events(),
    addFault: (fault) => context.faults.add(fault),
    addAct: (act) => context.acts.add(act),
    clearFaults: () => context.faults.clear(),
    setChaos: (chaos) => {
      context.chaos.configure(chaos);
    },
    verdict: () => judge(context.ledger()),
    addWebhook: (webhook) => context.webhooks.add(webhook),
    setSwitches: (changes) => {
      applySwitches(context.switches, switchChangesSchema.parse(changes));
      return context.switches;
    },
    setClock: (settings) => context.clock.configure(clockSchema.parse(settings)),
    rotateKey: (key, account) => {
      if (context.accounts.rotateKey(account, key) === undefined)
        throw new Error(`There is no account ${account}.`);
    },
    expireTokens: () => context.accounts.expireTokens(),
    endSessions: () => context.accounts.endSessions(),
    reset: () => context.reset(),
  };
}

/** Credentials are never shared: a second account has none but its own. */
function accountsOf({ accounts, apiKeys, clients }: SandboxOptions): readonly SandboxAccount[] {
  const none = { apiKeys: [], clients: [], users: [] };
  const given = (accounts ?? [defaultAccount]).map((account, index) => ({
    ...defaultAccount,
    ...none,
    userId: defaultAccount.userId + index,
    ...account,
  }));
  return given.map((account, index) =>
    index > 0
      ? account
      : {
          ...account,
          ...(apiKeys === undefined ? {} : { apiKeys }),
          ...(clients === undefined ? {} : { clients }),
        },
  );
}
