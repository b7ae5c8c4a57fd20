import { UserError } from '../../src/platform/user-error';
import {
  describeExit,
  startProcess,
  type ProcessOptions,
  type SupervisedProcess,
} from '../../src/temporal/dev-server/supervise';

/** What a test kills, and starts again on the same data. */
export interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Thrown when a service of a cluster does not start; contains its last output. */
export class ServiceFailedError extends UserError {
  override readonly name = 'ServiceFailedError';
  override readonly kind = 'processFailed';
}

export interface ServiceOptions extends ProcessOptions {
  /** Resolves once the service answers; the signal ends the wait. */
  readonly untilUp: (signal: AbortSignal) => Promise<unknown>;
  /** Ends the process at once: it must not save anything. */
  readonly end: (process: SupervisedProcess) => unknown;
}

const START_TIMEOUT_MS = 60_000;

/** One process of a cluster. */
export class Service implements Killable {
  #process: SupervisedProcess | null = null;

  constructor(private readonly options: ServiceOptions) {}

  /** @throws ServiceFailedError when it ends, or does not answer */
  async start(): Promise<void> {
    const { name, untilUp } = this.options;
    const process = await startProcess(this.options);
    this.#process = process;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const exit = await Promise.race([process.exited, untilUp(signal).then(() => null)]);
    const isSilent = signal.aborted;
    over.abort();
    if (exit !== null) throw new ServiceFailedError(describeExit(name, exit));
    if (isSilent) throw new ServiceFailedError(`${name} did not answer within ${START_TIMEOUT_MS / 1_000} s`);
  }

  async kill(): Promise<void> {
    if (this.#process === null) return;
    await this.options.end(this.#process);
    await this.#process.exited;
  }
}
