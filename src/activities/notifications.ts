import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { FailureType } from '../domain/failure-type';
import type { DeliveryLine, EndpointTerms } from '../domain/notification-delivery';
import type { Notification } from '../domain/notifications';
import { toCloudEvent } from '../notifications/cloud-event';
import { isAccepted, type EndpointAnswer } from '../notifications/send';
import { SecretError } from '../platform/secret-reference';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface DeliverNotificationInput extends AccountInput {
  readonly endpoint: string;
  readonly notification: Notification;
}

export function createNotificationActivities(dependencies: ActivityDependencies) {
  /** The account's endpoints, by the worker's accounts file. */
  async function listEndpoints({ account }: AccountInput): Promise<readonly EndpointTerms[]> {
    return await Promise.resolve(
      dependencies.notifications
        .endpointsOf(account)
        .map(({ name, events, reportAfterMs, pauseAfterMs }) => ({
          ...{ endpoint: name, events, reportAfterMs, pauseAfterMs },
        })),
    );
  }

  /** Sends one notification to one endpoint, once; Temporal repeats it until the endpoint accepts it. */
  async function deliverNotification({
    account,
    endpoint: name,
    notification,
  }: DeliverNotificationInput): Promise<Pick<DeliveryLine, 'attempts' | 'status'>> {
    const { endpointsOf, send } = dependencies.notifications;
    const endpoint = endpointsOf(account).find((one) => one.name === name);
    if (endpoint === undefined)
      throw failure(FailureType.EndpointUnknown, `the accounts file has no endpoint ${name}`);
    const answer = await answerOf(async () => await send(account, endpoint, toCloudEvent(notification)));
    const status = answer.kind === 'answered' ? answer.status : null;
    if (isAccepted(answer)) return { attempts: Context.current().info.attempt, status };
    if (status === 410) throw failure(FailureType.EndpointGone, 'the endpoint answered 410');
    throw failure(
      FailureType.NotDelivered,
      answer.kind === 'answered' ? `the endpoint answered ${answer.status}` : answer.reason,
    );
  }

  return { listEndpoints, deliverNotification };
}

/** A secret may come back, and its variable is named in the reason. */
async function answerOf(send: () => Promise<EndpointAnswer>): Promise<EndpointAnswer> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof SecretError) return { kind: 'noAnswer', reason: error.message };
    throw error;
  }
}

/** Benign: the endpoint is the receiver's business, and `consign attention` reports it. */
function failure(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    ...{ type, message, nonRetryable: type === FailureType.EndpointGone },
    category: ApplicationFailureCategory.BENIGN,
  });
}
