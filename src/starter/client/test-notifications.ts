import type { Accounts } from '../../accounts';
import { testEvent } from '../../notifications/cloud-event';
import { isAccepted, sendEvent, type EndpointAnswer } from '../../notifications/send';
import { createDispatcher } from '../../platform/network/dispatcher';
import { UserError } from '../../platform/user-error';

/** How an endpoint answered a test event. */
export interface TestedEndpoint {
  readonly endpoint: string;
  readonly isAccepted: boolean;
  readonly answer: EndpointAnswer;
}

/**
 * Sends an event of type `consign.test` from this process to the endpoints of an account, once.
 * @param endpoint only this one
 */
export async function testNotifications(
  accounts: Accounts,
  account: string,
  endpoint?: string,
): Promise<TestedEndpoint[]> {
  const environment = accounts.environmentOf(account);
  const all = accounts.endpointsOf(account) ?? [];
  const chosen = all.filter(({ name }) => endpoint === undefined || name === endpoint);
  if (chosen.length === 0) {
    const names = all.map(({ name }) => name).join(', ');
    throw new UserError(
      endpoint === undefined || all.length === 0
        ? `Account ${account} has no endpoints in the accounts file (\`notifications\`).`
        : `Account ${account} has no endpoint ${endpoint}; it has: ${names}.`,
    );
  }
  const dispatcher = createDispatcher({ keepAlive: false });
  try {
    return await Promise.all(
      chosen.map(async (one) => {
        const event = testEvent({ name: account, environment }, new Date());
        const answer = await sendEvent(one, event, dispatcher);
        return { endpoint: one.name, isAccepted: isAccepted(answer), answer };
      }),
    );
  } finally {
    await dispatcher.destroy();
  }
}
