/** An order that made no call for this long waits for the marketplace. */
const QUIET_MS = 250;

type Step = () => Promise<void>;

interface QuietOrder {
  timer: NodeJS.Timeout | null;
  /** A step is in progress. */
  isUnderWay: boolean;
  readonly left: Step[];
}

/**
 * Takes the steps of each order in sequence. A real carrier takes hours for a step. Here the next step follows once the
 * order has made no call for a moment: every step finds an idle workflow, however busy the machine is.
 */
export class QuietOrders {
  private readonly orders = new Map<string, QuietOrder>();
  private failure: unknown = null;

  /** The first step follows once the order is quiet. */
  follow(order: string, steps: readonly Step[]): void {
    this.orders.set(order, { timer: null, isUnderWay: false, left: [...steps] });
    this.touch(order);
  }

  /** The order made a call. */
  touch(name: string): void {
    const order = this.orders.get(name);
    if (order === undefined) return;
    if (order.isUnderWay) return;
    if (order.timer === null) order.timer = setTimeout(() => this.takeStep(name, order), QUIET_MS);
    else order.timer.refresh();
  }

  /** Whether the order has taken all steps and has been quiet since. */
  isLast(name: string): boolean {
    const order = this.orders.get(name);
    return order !== undefined && order.left.length === 0 && order.timer === null && !order.isUnderWay;
  }

  /** @throws when a step failed, because the measurement is then invalid */
  throwFailure(): void {
    if (this.failure !== null) throw new Error('a step of an order failed', { cause: this.failure });
  }

  close(): void {
    for (const { timer } of this.orders.values()) clearTimeout(timer ?? undefined);
    this.orders.clear();
  }

  private takeStep(name: string, order: QuietOrder): void {
    order.timer = null;
    const step = order.left.shift();
    if (step === undefined) return;
    order.isUnderWay = true;
    step().then(
      () => {
        order.isUnderWay = false;
        this.touch(name);
      },
      (error: unknown) => (this.failure ??= error),
    );
  }
}
