import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import { callFailureOf } from '../domain/call-failure';
import { FailureType } from '../domain/failure-type';
import { spread } from '../domain/jitter';
import type { BookingPaper, PapersFound, RefusedPaper } from '../domain/missing-papers';
import { delayAfter } from '../domain/policy';
import { notYet } from './failures';
import type { PollDocumentInput } from './not-ready';

/** Each asks for one paper once, and fails as `NotYet` until it is ready. */
export interface PaperPolls {
  readonly pollBillOfLading: (input: PollDocumentInput) => Promise<PapersFound['billOfLading']>;
  readonly pollContacts: (input: PollDocumentInput) => Promise<PapersFound['contacts']>;
  readonly pollTrackingLink: (input: PollDocumentInput) => Promise<string | null>;
}

export interface PollPapersInput extends PollDocumentInput {
  readonly wanted: readonly BookingPaper[];
}

/** Result of asking for one paper. */
type Asked =
  | { readonly kind: 'found'; readonly found: PapersFound }
  | { readonly kind: 'refused'; readonly refused: RefusedPaper }
  | { readonly kind: 'trouble'; readonly failure: ApplicationFailure }
  | {
      readonly kind: 'notYet';
      readonly saw: string;
      /** When the marketplace wants the next request; 0 when it does not say. */
      readonly againAfterMs: number;
    };

export function createPaperActivities({ pollBillOfLading, pollContacts, pollTrackingLink }: PaperPolls) {
  const ASK: Record<BookingPaper, (input: PollDocumentInput) => Promise<PapersFound>> = {
    billOfLading: async (input) => ({ billOfLading: await pollBillOfLading(input) }),
    contacts: async (input) => ({ contacts: await pollContacts(input) }),
    trackingLink: async (input) => ({ trackingLink: { url: await pollTrackingLink(input) } }),
  };

  async function askFor(paper: BookingPaper, input: PollDocumentInput): Promise<Asked> {
    try {
      return { kind: 'found', found: await ASK[paper](input) };
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
      const { type, message, nonRetryable } = error;
      if (type === FailureType.NotYet) return { kind: 'notYet', saw: message, againAfterMs: 0 };
      if (nonRetryable !== true)
        return { kind: 'notYet', saw: message, againAfterMs: msToNumber(error.nextRetryDelay ?? 0) };
      if (type === FailureType.AccountMismatch) return { kind: 'trouble', failure: error };
      // The web login is not the account's key: its refusal must not delay booked shipments.
      return type === FailureType.AccountTrouble && paper !== 'trackingLink'
        ? { kind: 'trouble', failure: error }
        : {
            kind: 'refused',
            refused: { paper, reason: message, words: callFailureOf(error.details)?.words ?? null },
          };
    }
  }

  /**
   * The papers of a booking, until at least one is ready or refused for good. Most become ready together, so one
   * activity fetches them all.
   * @throws ApplicationFailure `NotYet`; or `AccountTrouble` when there is no other result
   */
  async function pollPapers({ wanted, ...input }: PollPapersInput): Promise<PapersFound> {
    const asked = await Promise.all(wanted.map(async (paper) => await askFor(paper, input)));
    const found = asked.flatMap((one) => (one.kind === 'found' ? [one.found] : []));
    const refused = asked.flatMap((one) => (one.kind === 'refused' ? [one.refused] : []));
    if (found.length > 0 || refused.length > 0)
      return found.reduce((all, one) => ({ ...all, ...one }), { refused });
    for (const one of asked) if (one.kind === 'trouble') throw one.failure;
    const saw = asked.flatMap((one) => (one.kind === 'notYet' ? [one.saw] : [])).join('; ');
    const paceMs = spread(delayAfter(input.pace, Context.current().info.attempt - 1), Math.random());
    const againAfterMs = asked.map((one) => (one.kind === 'notYet' ? one.againAfterMs : 0));
    throw notYet(saw, Math.max(paceMs, ...againAfterMs));
  }

  return { pollPapers };
}
