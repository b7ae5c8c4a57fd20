/** An order that made no call for this long waits for the marketplace. */
const QUIET_MS = 100;
/** A step may cause no call at all. After this many quiet periods the next one follows all the same. */
const PATIENCE = 20;

type Step = () => Promise<void>;

interface FollowedOrder {
  readonly left: Step[];
  timer: NodeJS.Timeout | null;
  isStepping: boolean;
  /** Quiet periods without a call since the last step; null once there was a call. */
  unheard: number | null;
}

/**
 * Takes the steps of each order in sequence. A real carrier takes hours for a step. Here the next step follows once the
 * order has answered the last one by a call and then made no call for a moment: every step finds an idle workflow.
 */
export class QuietOrders {
  private readonly orders = new Map<string, FollowedOrder>();
  private failure: unknown = null;

  /** The first step follows once the order is quiet. */
  follow(order: string, steps: readonly Step[]): void {
    this.orders.set(order, { left: [...steps], timer: null, isStepping: false, unheard: null });
    this.touch(order);
  }

  /** The order made a call. */
  touch(name: string): void {
    const order = this.orders.get(name);
    if (order === undefined) return;
    order.unheard = null;
    if (!order.isStepping) this.await(order);
  }

  /** Whether the order has taken all steps and has been quiet since. */
  isLast(name: string): boolean {
    const order = this.orders.get(name);
    return order !== undefined && order.left.length === 0 && order.timer === null && !order.isStepping;
  }

  /** @throws when a step failed, because the measurement is then invalid */
  throwFailure(): void {
    if (this.failure !== null) throw new Error('a step of an order failed', { cause: this.failure });
  }

  close(): void {
    for (const { timer } of this.orders.values()) clearTimeout(timer ?? undefined);
    this.orders.clear();
  }

  private await(order: FollowedOrder): void {
    if (order.timer === null) order.timer = setTimeout(() => this.onQuiet(order), QUIET_MS);
    else order.timer.refresh();
  }

  private onQuiet(order: FollowedOrder): void {
    order.timer = null;
    if (order.unheard !== null && order.unheard < PATIENCE) {
      order.unheard += 1;
      this.await(order);
      return;
    }
    const step = order.left.shift();
    if (step === undefined) return;
    order.isStepping = true;
    order.unheard = 0;
    step().then(
      () => {
        order.isStepping = false;
        this.await(order);
      },
      (error: unknown) => (this.failure ??= error),
    );
  }
}
