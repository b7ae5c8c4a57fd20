import { Agent, request } from 'undici';
import { z } from 'zod';
import type { Occasion } from '../troubles/troubles';
import { noDeliveries, type DeliveryCounts } from './delivery-counts';
import type { Envelope, EventTroubles, OddEvent, Parts } from './event-troubles';
import { messageOf } from './event-message';
import type { JsonObject } from '../model/json';
import type { RandomPerSubject, SeededRandom } from '../model/random';

export const webhookSchema = z.strictObject({
  url: z.url(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Hears the furniture events and those of rate requests with this integratorId; without it, all events. */
  integratorId: z.string().optional(),
});
export type WebhookInput = z.infer<typeof webhookSchema>;
export type Webhook = WebhookInput & { readonly id: string };

export interface DeliveryAttempt {
  readonly at: string;
  readonly webhookId: string;
  readonly outcome: number | string;
}

export interface SentEvent {
  /** Contract, "Events"; a forged one sent by hand may be anything. */
  readonly envelope: JsonObject;
  readonly listingId: number | null;
  /** The integratorId of the rate request, empty if it had none; null for furniture, which knows no such field. */
  readonly integratorId: string | null;
  readonly attempts: DeliveryAttempt[];
  /** Left out for a plain event. */
  readonly trouble?: OddEvent;
  /** Why nothing was sent: the switch is off, it was lost on purpose, or nobody may hear it. */
  withheld?: 'off' | 'lost' | 'nobodyListens';
}

interface About extends Pick<SentEvent, 'integratorId'> {
  readonly listingId: number;
  /** The order's; empty where the listing has none. */
  readonly reference: string;
}

/** The results of all deliveries, and the listings about which a receiver took an event. */
export interface Deliveries {
  readonly counts: DeliveryCounts;
  readonly toldListings: readonly number[];
}

/** So many events are kept, the newest, with their attempts. */
const kept = 10_000;

/** Sends events like a service that promises little: at least once at best, in no order, sometimes never. */
export class Webhooks {
  list: Webhook[] = [];
  events: SentEvent[] = [];
  #lastId = 0;
  #isClosed = false;
  /** A flood queues for them; a connection for each event would run out of ports. */
  readonly #agent = new Agent({
    connections: 256,
    connect: { timeout: 5000 },
    headersTimeout: 5000,
    bodyTimeout: 5000,
  });
  readonly #open = new Set<Promise<void>>();
  /** What is known of deliveries for as long as the sandbox runs; the events themselves are forgotten after a while. */
  #counts = { ...noDeliveries };
  readonly #told = new Set<number>();
  readonly #received = new WeakSet<SentEvent>();

  /** @param random draws what goes wrong with an event and its delivery */
  constructor(
    private readonly parts: Parts,
    private readonly eventTroubles: EventTroubles,
    private readonly random: RandomPerSubject,
  ) {}

  add(input: WebhookInput): Webhook {
    const webhook = { ...webhookSchema.parse(input), id: `webhook-${++this.#lastId}` };
    this.list.push(webhook);
    return webhook;
  }

  deliveries(): Deliveries {
    return { counts: { ...this.#counts }, toldListings: [...this.#told] };
  }

  forgetEvents(): void {
    this.events = [];
    this.#counts = { ...noDeliveries };
    this.#told.clear();
    this.eventTroubles.clear();
  }

  /**
   * One envelope, which meets the troubles of events. What is drawn for it is its order's and its type's own.
   * @param about null for one that is of no listing: nothing goes wrong with the event itself
   */
  send(envelope: JsonObject, about: About | null): SentEvent {
    const type = String(envelope['type']);
    const random = this.random.next(`${about?.reference ?? ''} ${type}`);
    const { listingId = null, integratorId = null, reference = '' } = about ?? {};
    const occasion = { event: type, reference, listingId: listingId ?? undefined };
    const [first, ...others]: readonly [Envelope, ...Envelope[]] =
      listingId === null
        ? [{ envelope }]
        : this.eventTroubles.of(envelope, { ...occasion, listingId }, random);
    const emit = (one: Envelope): SentEvent => {
      const event: SentEvent = { ...one, listingId, integratorId, attempts: [] };
      this.events.push(event);
      if (this.events.length > kept) this.events.shift();
      this.#counts.events += 1;
      this.#dispatch(event, occasion, random);
      return event;
    };
    const event = emit(first);
    for (const other of others) emit(other);
    return event;
  }

  /** When every delivery that is under way has been answered, or has failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** The same event once more, with the same id. */
  resend(eventId: string): SentEvent | undefined {
    const event = this.events.find(({ envelope }) => envelope['id'] === eventId);
    if (event !== undefined) this.#deliver(event);
    return event;
  }

  #dispatch(event: SentEvent, occasion: Occasion, random: SeededRandom): void {
    const { clock, switches, troubles } = this.parts;
    // All three are drawn for every event: changing one chance does not change the others.
    const [lost, doubled, late] = [random.next(), random.next(), random.next()];
    if (switches.webhooks === 'off') event.withheld = 'off';
    else if (troubles.strikeEvent('lost', occasion, lost) !== undefined) event.withheld = 'lost';
    if (event.withheld !== undefined) {
      this.#counts[event.withheld] += 1;
      return;
    }
    const deliver = (trouble: 'late' | 'doubled') => (): void => {
      if (this.#deliver(event)) this.#counts[trouble] += 1;
    };
    const delay = troubles.strikeEvent('late', occasion, late);
    if (delay === undefined) this.#deliver(event);
    else clock.afterMs(delay.delayMs, deliver('late'));
    if (troubles.strikeEvent('doubled', occasion, doubled) !== undefined)
      clock.after('webhookRetry', deliver('doubled'));
  }

  /** @returns whether anybody is there to hear of it */
  #deliver(event: SentEvent): boolean {
    const hearers = this.list.filter(({ integratorId }) => {
      if (event.integratorId === null || integratorId === undefined) return true;
      return integratorId === event.integratorId;
    });
    // Contract: for LTL, webhooks require `integratorId` on the rate request.
    if (hearers.length === 0 || event.integratorId === '') {
      if (event.withheld === undefined) this.#counts.nobodyListens += 1;
      event.withheld = 'nobodyListens';
      return false;
    }
    for (const webhook of hearers) this.#attempt(event, webhook, 1);
    return true;
  }

  #attempt(event: SentEvent, webhook: Webhook, attempt: number): void {
    const sending = this.#post(event, webhook).then((isReceived) => {
      this.#open.delete(sending);
      const { clock, switches } = this.parts;
      if (isReceived) this.#noteReceived(event);
      else this.#counts.refused += 1;
      const isForgotten = this.#isClosed || !this.events.includes(event);
      if (isReceived || isForgotten || attempt >= switches.webhookAttempts) return;
      const backOffMs = clock.lengthMs('webhookRetry') * 2 ** (attempt - 1);
      clock.afterMs(backOffMs, () => this.#attempt(event, webhook, attempt + 1));
    });
    this.#open.add(sending);
  }

  #noteReceived(event: SentEvent): void {
    if (this.#received.has(event)) return;
    this.#received.add(event);
    this.#counts.received += 1;
    if (event.trouble !== undefined) this.#counts[event.trouble] += 1;
    if (event.listingId !== null) this.#told.add(event.listingId);
  }

  async #post({ envelope, attempts }: SentEvent, webhook: Webhook): Promise<boolean> {
    const note = (outcome: number | string): void => {
      attempts.push({ at: new Date().toISOString(), webhookId: webhook.id, outcome });
    };
    try {
      const { headers, body } = messageOf(envelope, this.parts.switches);
      const answer = await request(webhook.url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { ...headers, ...webhook.headers },
        body,
      });
      await answer.body.dump();
      note(answer.statusCode);
      return answer.statusCode === 200;
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#agent.destroy();
    await this.settled();
  }
}
