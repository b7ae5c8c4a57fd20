import { CancellationScope } from '@temporalio/workflow';
import type { Statement } from '../../contract/messages';
import { refuseWithdrawal } from '../../domain/refuse-withdrawal';
import { doubtOf, isBooked, type ShipmentState } from '../../domain/shipment-state';
import type { CarriedState } from './input';
import { LeavePhase } from './leave-phase';

/** The part of a run that a withdrawal reads, and where it reports. */
interface Withdrawable {
  readonly state: ShipmentState;
  addTimeline(what: string): void;
  addWarning(what: string): void;
  publish(): void;
}

type Carried = Pick<CarriedState, 'withdrawal' | 'cancelAsked'>;

/** That a person, or Temporal's own cancel, ends the order: from the statement until nothing can be booked any more. */
export class Withdrawal {
  /** Who withdrew the order, and why; null when nobody did. */
  statement: Statement | null;
  /** Temporal reports its cancel only once, so it is kept until it can be done. */
  private cancelAsked: boolean;
  private isRetiring = false;
  /** The withdrawal whose last try failed. */
  private stuck: Statement | null = null;

  constructor(
    private readonly run: Withdrawable,
    carried: Carried | undefined,
  ) {
    this.statement = carried?.withdrawal ?? null;
    this.cancelAsked = carried?.cancelAsked ?? false;
    this.onTemporalCancel();
  }

  get carried(): Carried {
    return { withdrawal: this.statement, cancelAsked: this.cancelAsked };
  }

  /**
   * Whether the order is withdrawn and that can be done now. A booked shipment only goes on, and a doubt is settled
   * first.
   */
  canBeDone(): boolean {
    const { state } = this.run;
    return this.statement !== null && !this.isRetiring && !isBooked(state) && doubtOf(state) === null;
  }

  /**
   * Whether a withdrawal waits to be done. A withdrawal whose last try failed does not count: its obstacle is being
   * asked about, and must not end that question.
   */
  isToBeDone(): boolean {
    return this.canBeDone() && this.statement !== this.stuck;
  }

  /**
   * Does the withdrawal. The order stays withdrawn until that succeeds: a failure asks a question like any other, and
   * then Consign tries again.
   */
  async whileRetiring(retire: () => Promise<void>): Promise<void> {
    this.isRetiring = true;
    try {
      await retire();
      this.statement = null;
    } catch (error) {
      if (!(error instanceof LeavePhase)) this.stuck = this.statement;
      throw error;
    } finally {
      this.isRetiring = false;
    }
  }

  /** Why the order cannot be withdrawn now; null when it can. */
  refuse(statement: Statement): string | null {
    return refuseWithdrawal(this.run.state, statement, this.statement);
  }

  record(statement: Statement): void {
    const { by, reason } = statement;
    if (this.statement?.by === by && this.statement.reason === reason) return;
    this.statement = statement;
    this.run.addTimeline(`${by} withdraws the order: ${reason}`);
  }

  /** @returns why Temporal's cancel cannot be done now; null when it is done, or was not requested */
  reconsiderCancel(): string | null {
    if (!this.cancelAsked) return null;
    const refused = this.refuse({ by: 'Temporal', reason: 'cancel' });
    if (refused !== null) return refused;
    this.cancelAsked = false;
    this.record({ by: "Temporal's cancel", reason: 'the workflow was cancelled' });
    return null;
  }

  /** Treats Temporal's own cancel like `cancelShipment`. If it cannot be done now, it is done later. */
  private onTemporalCancel(): void {
    CancellationScope.current().cancelRequested.catch(() => {
      this.cancelAsked = true;
      const refused = this.reconsiderCancel();
      if (refused !== null) this.run.addWarning(`not cancelled yet: ${refused}`);
      this.run.publish();
    });
  }
}
