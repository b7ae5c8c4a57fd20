import { metricMeter } from '@temporalio/workflow';
import type { LateMatter } from '../../domain/late-event';

// The SDK counts nothing while a history is replayed. It adds the type of the workflow. A label must never hold an id.

/** A write whose outcome is unknown. */
export function countDoubt(): void {
  metricMeter.createCounter('consign_writes_in_doubt', undefined, 'Writes whose outcome was unknown.').add(1);
}

/** A change that a read found and no event reported: how one sees that events are lost. */
export function countMissedEvent(eventType: string): void {
  metricMeter
    .createCounter('consign_missed_events', undefined, 'Changes that a read found and no event reported.')
    .add(1, { event_type: eventType });
}

/** An event of an order that has ended asks a person. */
export function countLateQuestion(matter: LateMatter): void {
  metricMeter
    .createCounter('consign_late_questions', undefined, 'Questions because of an order that has ended.')
    .add(1, { matter });
}
