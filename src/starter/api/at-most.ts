import type { FastifyReply } from 'fastify';
import { ApiError } from './api-error';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 30;

/** Counts the answers of one kind that are under way, for all callers together, and refuses those above a limit. */
export class AtMost {
  #underWay = 0;

  /** @param what in the plural, such as `imports are under way` */
  constructor(
    private readonly limit: number,
    private readonly what: string,
  ) {}

  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Counts an answer until its connection closes.
   * @throws ApiError with 429 when there are as many as there may be
   */
  enter(reply: FastifyReply, onClose: () => void = () => undefined): void {
    if (this.#underWay >= this.limit) {
      void reply.header('retry-after', RETRY_AFTER);
      throw new ApiError('tooManyRequests', `Too many ${this.what}. Try again later.`);
    }
    this.#underWay += 1;
    reply.raw.once('close', () => {
      this.#underWay -= 1;
      onClose();
    });
  }
}
