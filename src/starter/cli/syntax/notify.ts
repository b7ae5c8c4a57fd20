import { Command } from 'commander';
import type { EndpointOptions, ReplayNotificationsOptions } from '../commands/notifications';
import type { CliContext } from '../context';
import { orderArgument } from '../order-argument';

interface JsonOption {
  readonly json?: boolean;
}

/** `consign notifications`: what an account's endpoints are notified of. */
export function notificationsCommand(context: CliContext): Command {
  return new Command('notifications')
    .description("see, repeat and test the notifications to the account's endpoints")
    .addCommand(listNotificationsCommand(context))
    .addCommand(replayNotificationsCommand(context))
    .addCommand(testCommand(context))
    .addCommand(retryNotificationsCommand(context));
}

function listNotificationsCommand(context: CliContext): Command {
  return new Command('list')
    .description(
      'show the delivery log of an order: each notification, its endpoint, attempts and last answer',
    )
    .addArgument(orderArgument())
    .option('--json', 'print the log as JSON, with the content of the notifications')
    .action(async (text: string, options: JsonOption) => {
      const { listNotifications } = await import('../commands/notifications.ts');
      await listNotifications(context, text, options);
    });
}

function replayNotificationsCommand(context: CliContext): Command {
  return new Command('replay')
    .description('send the notifications of an order again, with the same ids, also after it has ended')
    .addArgument(orderArgument())
    .option('--from <id>', 'only this notification and those after it; default: all that are known')
    .option('--json', 'print how many as JSON')
    .action(async (text: string, options: ReplayNotificationsOptions) => {
      const { replayNotifications } = await import('../commands/notifications.ts');
      await replayNotifications(context, text, options);
    });
}

function testCommand(context: CliContext): Command {
  return new Command('test')
    .description(
      'send a test event from this machine, and print the answer; exit code 1 when it is not accepted',
    )
    .requiredOption('--account <name>', 'whose endpoints')
    .option('--endpoint <name>', 'only this endpoint; default: all of the account')
    .option('--json', 'print the answers as JSON')
    .action(async (options: EndpointOptions) => {
      const { testEndpoints } = await import('../commands/notifications.ts');
      await testEndpoints(context, options);
    });
}

function retryNotificationsCommand(context: CliContext): Command {
  return new Command('retry')
    .description('try endpoints that fail or are paused again at once, for all orders that wait')
    .requiredOption('--account <name>', 'whose endpoints')
    .option('--endpoint <name>', 'only this endpoint; default: all of the account')
    .option('--json', 'print the number of orders as JSON')
    .action(async (options: EndpointOptions) => {
      const { retryNotifications } = await import('../commands/notifications.ts');
      await retryNotifications(context, options);
    });
}
