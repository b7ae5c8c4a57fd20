import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import { refuseFetching } from '../../domain/missing-papers';
import type { Answer, AnswerGiven } from '../../domain/question';
import { amendLater, refuseToAmend } from './on-amendment';
import { onMarketplaceEvent, onLateOutcome } from './on-signal';
import * as messages from '../../contract/messages';
import type { ShipmentRun } from './shipment-run';
import { followedListing } from '../../domain/shipment-state';

/**
 * Registers all handlers before any await, because messages can arrive with the first task. Each only records a fact,
 * in any phase.
 */
export function registerHandlers(run: ShipmentRun): void {
  setHandler(messages.shipmentStateQuery, () => run.state);
  setHandler(messages.shipmentQuery, () => {
    const { shipment: order, policy } = run.input;
    return { order, policy, state: run.state };
  });
  setHandler(messages.marketplaceEventReceivedSignal, (event) => onMarketplaceEvent(run, event));
  setHandler(messages.lateOutcomeReceivedSignal, (outcome) => onLateOutcome(run, outcome));
  handleAnswer(run, messages.approvePriceUpdate, () => ({ kind: 'approve' }));
  handleAnswer(run, messages.statePremiumUpdate, ({ premiumMinorUnits }) => ({
    kind: 'premium',
    premiumMinorUnits,
  }));
  handleAnswer(run, messages.selectRateUpdate, ({ rateId }) => ({ kind: 'selectRate', rateId }));
  handleAnswer(run, messages.resolveInDoubtUpdate, ({ decision }) => decision);
  handleAnswer(run, messages.retryNowUpdate, () => ({ kind: 'retry' }));
  handleAnswer(run, messages.postponePickupUpdate, () => ({ kind: 'postpone' }));
  handleAnswer(run, messages.reviseOrderUpdate, ({ shipment, policy, documentHash }) => ({
    kind: 'revise',
    ...{ shipment, policy, documentHash },
  }));
  handleAnswer(run, messages.rebookUpdate, () => ({ kind: 'rebook' }));
  handleAnswer(run, messages.closeShipmentUpdate, () => ({ kind: 'close' }));
  setHandler(messages.amendListingUpdate, (input) => amendLater(run, input), {
    validator: (input) => refuse(refuseToAmend(run, input)),
  });
  setHandler(messages.cancelShipmentUpdate, (statement) => run.withdrawal.record(statement), {
    validator: (statement) => refuse(run.withdrawal.refuse(statement)),
  });
  setHandler(messages.fetchDocumentsUpdate, (statement) => fetchDocuments(run, statement), {
    validator: (statement) => refuse(refuseFetching(run.state, statement)),
  });
}

/** Also makes the shipment read the listing again, which wakes its watch. */
function fetchDocuments(run: ShipmentRun, { by, reason }: messages.Statement): void {
  run.addTimeline(`${by} asks for the missing documents again: ${reason}`);
  run.update({ reasonsToAsk: run.state.reasonsToAsk + 1 });
  const listingId = followedListing(run.state);
  if (listingId !== null) run.hint(listingId);
}

function handleAnswer<Input extends messages.AnswerInput>(
  run: ShipmentRun,
  update: ReturnType<typeof messages.defineAnswer<Input>>,
  toAnswer: (input: Input) => Answer,
): void {
  const given = (input: Input): AnswerGiven => {
    const { questionId, by, reason, checked = null } = input;
    return { questionId, by, reason, checked, answer: toAnswer(input) };
  };
  setHandler(update, (input) => run.recordAnswer(given(input), input.runId ?? null), {
    validator: (input) => refuse(run.refuseAnswer(given(input))),
  });
}

function refuse(why: string | null): void {
  if (why !== null) throw ApplicationFailure.nonRetryable(why, 'Refused');
}
