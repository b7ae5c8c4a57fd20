import { request } from 'undici';
import type {
  DeliveryCounts,
  Ledger,
  MishapKind,
  MishapOutcome,
  OrderLedger,
  ScriptedFault,
  SwitchChanges,
} from '../sandbox';
import type { FaultPlan } from './faults';
import { mostForeseen } from './ledger-of-order';

/** Thrown when the sandbox refuses a control call: the run itself is wrong, not the shipments. */
export class SandboxControlError extends Error {
  override readonly name = 'SandboxControlError';
}

/** What an order knew is in its history, not in the ledger. */
const NOTHING_KNOWN: ReadonlyMap<number, string> = new Map();

/** The sandbox's control API: what a test may see and do, but no client can. */
export class SandboxControl {
  constructor(private readonly url: string) {}

  /** Sets all that goes wrong by itself. */
  async prepare({ clock, chaos, faults, switches }: FaultPlan): Promise<void> {
    await this.call('POST', '/clock', clock);
    await this.call('POST', '/chaos', chaos);
    if (faults.length > 0) await this.call('POST', '/faults', faults);
    await this.setSwitches(switches);
  }

  /** The scripted faults, with how often each hit. */
  async faults(): Promise<readonly ScriptedFault[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox's own type, from its control API
    return ((await this.call('GET', '/faults')) as { items: ScriptedFault[] }).items;
  }

  async setSwitches(changes: SwitchChanges): Promise<void> {
    await this.call('POST', '/switches', changes);
  }

  async mishap(listingId: string, kind: MishapKind, leaves: MishapOutcome): Promise<void> {
    await this.call('POST', `/listings/${listingId}/mishap`, { kind, leaves });
  }

  async correctPrice(listingId: string, amount: number): Promise<void> {
    await this.call('POST', `/listings/${listingId}/price`, { amount });
  }

  /** Posts the same goods again under the same reference; no carrier will book them. */
  async postByHand(reference: string, listingId: number): Promise<void> {
    const referenceNumbers = [{ number: reference, type: 'ThirdPartyOrderNumber' }];
    await this.call('POST', '/events/foreign', { referenceNumbers, like: listingId });
  }

  /** Replaces the key; the old one is invalid at once. */
  async rotateKey(key: string): Promise<void> {
    await this.call('POST', '/keys', { key });
  }

  /** Access tokens and web sessions, both. */
  async endSignIns(): Promise<void> {
    await this.call('POST', '/tokens/expire');
    await this.call('POST', '/sessions/end');
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
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox's own type, from its control API
    return (await this.call('GET', '/ledger')) as Ledger;
  }

  /** Without double bookings that nobody could prevent, because the marketplace had reported the acceptance as failed. */
  async hasDoubleBooking(): Promise<boolean> {
    const { orders } = await this.ledger();
    return Object.values(orders).some((order) => mostForeseen(order, NOTHING_KNOWN) > 1);
  }

  /** The results of the events, and the listings about which the receiver accepted one. */
  async deliveries(): Promise<{ readonly counts: DeliveryCounts; readonly reported: ReadonlySet<number> }> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox's own type, from its control API
    const { counts, toldListings } = (await this.call('GET', '/events/counts')) as {
      counts: DeliveryCounts;
      toldListings: number[];
    };
    return { counts, reported: new Set(toldListings) };
  }

  /** Null until something was created for the order. */
  async orderLedger(reference: string): Promise<OrderLedger | null> {
    const route = `/ledger?reference=${encodeURIComponent(reference)}`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox's own type, from its control API
    return (await this.call('GET', route, undefined, [404])) as OrderLedger | null;
  }

  private async call(
    method: 'GET' | 'POST' | 'DELETE',
    route: string,
    body?: unknown,
    absent: readonly number[] = [],
  ): Promise<unknown> {
    const answer = await request(`${this.url}/_sandbox${route}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (absent.includes(answer.statusCode)) return null;
    if (answer.statusCode >= 300)
      throw new SandboxControlError(`${method} ${route}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }
}
