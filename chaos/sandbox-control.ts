import { request } from 'undici';
import type {
  DeliveryCounts,
  Ledger,
  OrderLedger,
  StandingTrouble,
  SwitchChanges,
  TroubleInput,
} from '../sandbox';
import { mostForeseen } from './ledger-of-order';
import type { Plan } from './plan';

/** Thrown when the sandbox refuses a control call: the run itself is wrong, not the shipments. */
export class SandboxControlError extends Error {
  override readonly name = 'SandboxControlError';
}

/** What became of the events, and the listings about which a receiver took one. */
interface Told {
  readonly counts: DeliveryCounts;
  readonly toldListings: readonly number[];
}

/** What an order knew is in its history, not in the ledger. */
const NOTHING_KNOWN: ReadonlyMap<number, string> = new Map();

/** The sandbox's control API: what a test may see and do, but no client can. */
export class SandboxControl {
  constructor(private readonly url: string) {}

  /** Sets all that goes wrong by itself. */
  async prepare({ clock, troubles, switches }: Pick<Plan, 'clock' | 'troubles' | 'switches'>): Promise<void> {
    await this.call('POST', '/clock', clock);
    await this.call('POST', '/troubles', troubles);
    await this.setSwitches(switches);
  }

  async trouble(trouble: TroubleInput): Promise<void> {
    await this.call('POST', '/troubles', trouble);
  }

  /** Every trouble, with how often it struck. */
  async troubles(): Promise<readonly StandingTrouble[]> {
    return (await this.call<{ items: StandingTrouble[] }>('GET', '/troubles')).items;
  }

  async setSwitches(changes: SwitchChanges): Promise<void> {
    await this.call('POST', '/switches', changes);
  }

  async correctPrice(listingId: number, amount: number): Promise<void> {
    await this.call('POST', `/listings/${listingId}/price`, { amount });
  }

  /** Cancels like the carrier, or like a person on the marketplace's website. */
  async cancelBooking(listingId: string): Promise<void> {
    await this.call('POST', `/listings/${listingId}/advance`, { to: 'Cancelled', kind: 'status' });
  }

  /** Withdraws like the marketplace's support; an acceptance that has been booked or failed stays so. */
  async withdrawAcceptance(executionId: string): Promise<void> {
    await this.call('POST', `/acceptances/${executionId}/withdraw`, undefined, [409]);
  }

  /** Whether a page of the marketplace's website opens without signing in, as for the consignee. */
  async opens(url: string): Promise<boolean> {
    // A request may meet a fault, but no more than two in a row.
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        const page = await request(url, { signal: AbortSignal.timeout(5_000) });
        await page.body.dump();
        if (page.statusCode === 200) return true;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
    }
    return false;
  }

  async ledger(): Promise<Ledger> {
    return await this.call('GET', '/ledger');
  }

  /** Without double bookings that nobody could prevent, because the marketplace had reported the acceptance as failed. */
  async hasDoubleBooking(): Promise<boolean> {
    const { orders } = await this.ledger();
    return Object.values(orders).some((order) => mostForeseen(order, NOTHING_KNOWN) > 1);
  }

  /** The results of the events, and the listings about which the receiver accepted one. */
  async deliveries(): Promise<{ readonly counts: DeliveryCounts; readonly reported: ReadonlySet<number> }> {
    const { counts, toldListings } = await this.call<Told>('GET', '/events/counts');
    return { counts, reported: new Set(toldListings) };
  }

  /** Null until something was created for the order. */
  async orderLedger(reference: string): Promise<OrderLedger | null> {
    const route = `/ledger?reference=${encodeURIComponent(reference)}`;
    return await this.call('GET', route, undefined, [404]);
  }

  /** @typeParam Answer the sandbox's own type; null for a status that is among the absent ones */
  private async call<Answer>(
    method: 'GET' | 'POST' | 'DELETE',
    route: string,
    body?: unknown,
    absent: readonly number[] = [],
  ): Promise<Answer> {
    const answer = await request(`${this.url}/_sandbox${route}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isAbsent = absent.includes(answer.statusCode);
    if (answer.statusCode >= 300 && !isAbsent)
      throw new SandboxControlError(`${method} ${route}: ${answer.statusCode} ${text.slice(0, 300)}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from the sandbox's control API
    return JSON.parse(isAbsent || text === '' ? 'null' : text) as Answer;
  }
}
