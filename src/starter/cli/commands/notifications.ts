import pc from 'picocolors';
import { ExitCode } from '../../../platform/exit-code';
import type { NotificationLog } from '../../client/notifications';
import { testNotifications, type TestedEndpoint } from '../../client/test-notifications';
import type { CliContext } from '../context';
import { table } from '../table';
import { printable } from '../printable';
import { timeText } from '../time-text';

interface JsonOption {
  readonly json?: boolean;
}

export interface ReplayNotificationsOptions extends JsonOption {
  readonly from?: string;
}

export interface EndpointOptions extends JsonOption {
  readonly account: string;
  readonly endpoint?: string;
}

/** `consign notifications list`. */
export async function listNotifications(
  context: CliContext,
  text: string,
  { json }: JsonOption,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  const log = await context.withShipments(
    async (shipments) => await shipments.notifications(account, orderId),
  );
  context.print(json === true ? JSON.stringify(log, null, 2) : renderNotifications(log));
}

/** `consign notifications replay`. */
export async function replayNotifications(
  context: CliContext,
  text: string,
  { from, json }: ReplayNotificationsOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  const count = await context.withShipments(
    async (shipments) => await shipments.replayNotifications(account, orderId, from),
  );
  const what = count === 1 ? '1 notification is' : `${count} notifications are`;
  context.print(json === true ? JSON.stringify({ count }) : `${what} sent again, with the same ids.`);
}

/** `consign notifications retry`. */
export async function retryNotifications(
  context: CliContext,
  { account, endpoint, json }: EndpointOptions,
): Promise<void> {
  // Nothing waits for an account whose name is mistyped.
  (await context.accounts()).environmentOf(account);
  const count = await context.withShipments(
    async (shipments) => await shipments.retryNotifications(account, endpoint),
  );
  const orders = count === 1 ? '1 order' : `${count} orders`;
  const said = count === 0 ? 'No order waits for a failing endpoint.' : `Sending again for ${orders}.`;
  context.print(json === true ? JSON.stringify({ orders: count }) : said);
}

/** `consign notifications test`. */
export async function testEndpoints(
  context: CliContext,
  { account, endpoint, json }: EndpointOptions,
): Promise<void> {
  const tested = await testNotifications(await context.accounts(), account, endpoint);
  context.print(json === true ? JSON.stringify(tested, null, 2) : tested.map(testedLine).join('\n'));
  if (!tested.every(({ isAccepted }) => isAccepted)) process.exitCode = ExitCode.Failed;
}

/** The answer is the receiver's own text, which only this person sees. */
function testedLine({ endpoint, isAccepted, answer }: TestedEndpoint): string {
  const mark = isAccepted ? pc.green('✓') : pc.red('✗');
  if (answer.kind === 'noAnswer') return `${mark} ${endpoint}: ${answer.reason}`;
  const text = answer.text.trim();
  return `${mark} ${endpoint}: answered ${answer.status}${text === '' ? '' : `: ${printable(text)}`}`;
}

/** `consign notifications list` for people: what waits, and what was delivered. */
export function renderNotifications({ deliveries, waiting, leftOut }: NotificationLog): string {
  const rows = [
    ...deliveries.map(({ id, kind, at, endpoint, outcome, attempts, status }) => [
      ...[timeText(at), kind, endpoint, outcome, String(attempts), String(status ?? '-'), id],
    ]),
    ...waiting.map(({ id, kind, at, endpoint, attempts, reason, isPaused }) => [
      ...[timeText(at), kind, endpoint, isPaused ? 'paused' : 'waits', String(attempts), reason ?? '-', id],
    ]),
  ];
  if (rows.length === 0) return 'No notifications yet.';
  const dropped = leftOut === 0 ? [] : [`${leftOut} older notifications were dropped: too many waited.`];
  return [table(['TIME', 'KIND', 'ENDPOINT', 'OUTCOME', 'ATTEMPTS', 'LAST', 'ID'], rows), ...dropped].join(
    '\n',
  );
}
