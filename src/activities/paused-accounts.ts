import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { cutReason, MAX_REASONS, type AccountTrouble, type PauseFact } from '../domain/account-pause';
import { SHIPMENTS_QUEUE } from '../contract/task-queue';
import { accountPauseWorkflowId } from '../domain/workflow-id';
import type { AccountPauseInput } from '../contract/workflow-input';

/** How long a fact is valid. Shorter than a shipment's first wait, so it cannot use a fact from before its pause. */
const FACT_MS = 1_000;

interface KnownFact {
  readonly at: number;
  readonly fact: Promise<PauseFact | null>;
}

interface Told {
  readonly pauseId: string;
  readonly reasons: Set<string>;
}

/** A shipment's trouble, and its account. */
export type MetTrouble = Omit<AccountPauseInput, 'carried'> & AccountTrouble;

/**
 * What one worker process knows of accounts in trouble. Thousands of shipments ask it, and it asks Temporal once a
 * second for all of them.
 */
export class PausedAccounts {
  readonly #facts = new Map<string, KnownFact>();
  readonly #starting = new Map<string, Promise<PauseFact | null>>();
  readonly #told = new Map<string, Told>();

  constructor(private readonly client: Client) {}

  /** The running pause of the account; null when there is none. */
  async factOf(account: string): Promise<PauseFact | null> {
    const known = this.#facts.get(account);
    if (known !== undefined && Date.now() - known.at < FACT_MS) return await known.fact;
    return await this.#look(account);
  }

  /**
   * Makes sure that the account is paused, and adds this reason to its question if there is room.
   * @returns the pause; null when it is already over
   */
  async pause(trouble: MetTrouble): Promise<PauseFact | null> {
    const { name } = trouble.account;
    const fact = await this.factOf(name);
    if (fact !== null && this.#isTold(name, fact.pauseId, trouble.reason)) return fact;
    // Shipments that meet the trouble at the same moment share one signal.
    const starting = this.#starting.get(name) ?? this.#start(trouble);
    this.#starting.set(name, starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(name);
    }
  }

  async #start({ reason, status, ...input }: MetTrouble): Promise<PauseFact | null> {
    const { name } = input.account;
    await this.client.workflow.signalWithStart('accountPause', {
      workflowId: accountPauseWorkflowId(name),
      taskQueue: SHIPMENTS_QUEUE,
      args: [input],
      signal: 'accountTroubleMet',
      signalArgs: [{ reason: cutReason(reason), status }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `account ${name} is in trouble`,
    });
    const fact = await this.#look(name);
    if (fact !== null) this.#recordWitness(name, fact.pauseId, reason);
    return fact;
  }

  #isTold(account: string, pauseId: string, reason: string): boolean {
    const told = this.#told.get(account);
    if (told?.pauseId !== pauseId) return false;
    return told.reasons.has(cutReason(reason)) || told.reasons.size >= MAX_REASONS;
  }

  #recordWitness(account: string, pauseId: string, reason: string): void {
    const known = this.#told.get(account);
    const told = known?.pauseId === pauseId ? known : { pauseId, reasons: new Set<string>() };
    told.reasons.add(cutReason(reason));
    this.#told.set(account, told);
  }

  async #look(account: string): Promise<PauseFact | null> {
    const fact = this.#describe(account);
    const known = { at: Date.now(), fact };
    this.#facts.set(account, known);
    try {
      return await fact;
    } catch (error) {
      // Only the shipments that wait for it now fail with it.
      if (this.#facts.get(account) === known) this.#facts.delete(account);
      throw error;
    }
  }

  /** Temporal's own record of the workflow, which needs no worker. */
  async #describe(account: string): Promise<PauseFact | null> {
    try {
      const handle = this.client.workflow.getHandle(accountPauseWorkflowId(account));
      const { status, memo, runId } = await handle.describe();
      if (status.name !== 'RUNNING' && status.name !== 'PAUSED') return null;
      // A run without a memo yet is the first run of its pause.
      return { pauseId: runId, waiting: 0, isRefused: false, ...factOfMemo(memo?.pause) };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }
}

/** Reads the memo that the workflow `accountPause` writes. */
function factOfMemo(shown: unknown): Partial<PauseFact> {
  const isShown = (fact: unknown): fact is PauseFact =>
    typeof fact === 'object' && fact !== null && 'pauseId' in fact && 'waiting' in fact;
  return isShown(shown) ? shown : {};
}
