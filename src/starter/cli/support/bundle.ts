import type { AccountReport } from '../../../accounts/report';
import { LISTING_STATUSES, TRANSIT_STATUSES } from '../../../domain/listing';
import type { ShipmentState } from '../../../domain/shipment-state';
import type { IsoInstant } from '../../../domain/shipment';
import { listOfIds } from '../../../domain/shipment-result';
import type { OrderRecord } from '../../client/order-record';
import { failureText } from '../../client/public-failure';
import { askedKindOf, type PublicActivity, type PublicEvent } from '../../client/public-history';
import type { PublicVersions } from '../../client/public-versions';
import { instantOf, instantOfProto, phaseOf, wordOf } from '../../client/public-words';
import { timeText } from '../time-text';
import { publicLine } from './known-lines';
import { accountLines, policyLines } from './public-settings';
import { StandIns } from './stand-ins';

/** What a bundle is made of. */
export interface SupportFacts {
  readonly madeAt: IsoInstant;
  readonly consign: string;
  readonly node: string;
  readonly versions: PublicVersions;
  readonly record: OrderRecord;
  /** Of all runs. */
  readonly events: readonly PublicEvent[];
  readonly pending: readonly PublicActivity[];
  /** How many workers get tasks of shipments, and of the account's calls; null: unknown. */
  readonly workers: { readonly shipments: number | null; readonly account: number | null };
  /** Null when the accounts file cannot be read, or does not have the account. */
  readonly account: AccountReport | null;
  readonly policy: unknown;
  readonly variables: readonly string[];
}

/** A part of a bundle. */
export interface SupportSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** More lines would not fit into an issue. */
const MOST_LINES = 200;
/** A line of a list, with `…` for what is left out. */
const UNKNOWN_LINE = '(a line that is not shown)';

const atText = (at: IsoInstant | null): string => (at === null ? 'unknown time' : timeText(at));

function newest(lines: readonly string[]): string[] {
  const dropped = lines.length - MOST_LINES;
  return dropped <= 0 ? [...lines] : [`(${dropped} older lines are left out)`, ...lines.slice(dropped)];
}

/** Everything that a bundle says. Each part is from a closed list, a number, an instant, or a stand-in for an id. */
export function supportSections(facts: SupportFacts): SupportSection[] {
  const standIns = new StandIns();
  // The order's own ids come first, so each is number 1. What a text of the timeline names may be no id.
  const { order, searchAttributes, memo } = facts.record;
  standIns.of('account', order.account);
  standIns.of('order', order.orderId);
  for (const id of listOfIds([searchAttributes.ListingId, memo.listingIds].flat()))
    standIns.of('listing', id);
  return [
    { title: 'Versions', lines: versionLines(facts) },
    { title: 'Order', lines: orderLines(facts, standIns) },
    { title: 'Pending', lines: pendingLines(facts) },
    { title: 'Failures', lines: failureLines(facts) },
    { title: "Temporal's history", lines: newest(facts.events.map(eventLine)) },
    { title: "Consign's timeline", lines: timelineLines(facts.record.state, standIns) },
    { title: 'Search attributes', lines: attributeLines(facts.record, standIns) },
    { title: 'Memo', lines: memoLines(facts.record, standIns) },
    { title: 'Settings', lines: settingLines(facts) },
    { title: 'Variables that are set', lines: facts.variables },
  ];
}

function versionLines({ consign, node, versions, workers }: SupportFacts): string[] {
  const count = (workers: number | null): string => (workers === null ? 'unknown' : String(workers));
  return [
    `Consign: ${consign}`,
    `Node.js: ${node}`,
    `Temporal SDK: ${versions.sdk}`,
    `Temporal server: ${versions.server ?? 'unknown'}`,
    `last worker: SDK ${versions.workerSdk ?? 'unknown'}, build ${versions.workerBuild ?? 'unknown'}`,
    `workers that get tasks: ${count(workers.shipments)} of shipments, ${count(workers.account)} of the account`,
  ];
}

/** A shipment's own kinds, from the name of its workflow. */
const TYPES: Readonly<Record<string, string>> = { furnitureShipment: 'furniture', ltlShipment: 'ltl' };

function orderLines({ record, madeAt }: SupportFacts, standIns: StandIns): string[] {
  const { description, memo, searchAttributes, state, order, payloads } = record;
  const info = description.workflowExecutionInfo;
  const since = state?.phaseSince ?? null;
  const waitsFor = typeof memo.waitsFor === 'string' ? publicLine(memo.waitsFor, standIns) : null;
  return [
    `order: ${standIns.of('account', order.account)}/${standIns.of('order', order.orderId)}`,
    `kind: ${TYPES[info?.type?.name ?? ''] ?? 'unknown'}`,
    `status: ${wordOf('WorkflowExecutionStatus', info?.status)} at ${timeText(madeAt)}`,
    `phase: ${phaseOf(searchAttributes.ShipmentPhase) ?? 'unknown'}${since === null ? '' : ` since ${timeText(since)}`}`,
    `placed: ${atText(instantOf(memo.placedAt) ?? instantOfProto(info?.startTime))}`,
    `waits for: ${waitsFor ?? UNKNOWN_LINE}`,
    ...questionLines(record),
    `runs: ${record.runs.length}${record.isWhole ? '' : ', and earlier ones that Temporal no longer has'}`,
    `events of the last run: ${String(info?.historyLength ?? 'unknown')}`,
    `state: ${state === null ? 'no worker answers, or its answer cannot be decoded here' : 'answered by a worker'}`,
    `payloads that cannot be decoded here: ${payloads.undecoded}`,
    ...(state === null ? [] : countLines(state)),
  ];
}

function questionLines({ memo, state }: OrderRecord): string[] {
  const question = state?.question ?? null;
  if (question !== null) {
    const from = question.resendFrom === undefined ? '' : `, resend from ${timeText(question.resendFrom)}`;
    return [
      `question: ${question.kind} since ${timeText(question.since)}; answers ${question.answers.join(', ')}${from}`,
    ];
  }
  const kind = askedKindOf(memo.asks);
  return [`question: ${kind ?? 'none'}`];
}

function countLines(state: ShipmentState): string[] {
  const { events, images, attachments, wantedAttachments } = state;
  return [
    `events: ${events.taken} accepted, ${events.doubled} duplicates, ${events.quarantined} quarantined; ${state.repairs} missed`,
    `sends: ${state.sends}; questions: ${state.questionsAsked}; rate requests: ${state.rateRequests}`,
    `rates: ${state.rates.length}; excluded: ${state.excludedRateIds.length}; earlier acceptances: ${state.earlierAcceptances.length}`,
    `listings known: ${state.candidates.length}; unread: ${state.candidates.filter(({ isUnread }) => isUnread).length}`,
    `images: ${state.imagesTried} of ${images.length} tried; attachments: ${attachments.length} stored, ${wantedAttachments.length} wanted`,
    `notices: ${state.notices.length}; unknown values: ${state.unknownValues.length}`,
    `paused for the account: ${state.pause === null ? 'no' : `since ${timeText(state.pause.since)}, status ${state.pause.status ?? 'none'}`}`,
    `listing unreadable: ${state.unreadable === null ? 'no' : `since ${timeText(state.unreadable.since)}`}`,
  ];
}

function pendingLines({ pending, record }: SupportFacts): string[] {
  const task = record.description.pendingWorkflowTask;
  const tasks =
    task == null
      ? []
      : [`workflow task: ${wordOf('PendingWorkflowTaskState', task.state)}, attempt ${task.attempt ?? 1}`];
  const activities = pending.map(
    ({ name, state, attempt, scheduledAt, nextAttemptAt, endsAt, lastFailure }) =>
      [
        `${name}: ${state}, attempt ${attempt}, scheduled ${atText(scheduledAt)}`,
        ...(nextAttemptAt === null ? [] : [`next attempt ${timeText(nextAttemptAt)}`]),
        ...(endsAt === null ? [] : [`until ${timeText(endsAt)}`]),
        ...(lastFailure === null ? [] : [`last failure ${failureText(lastFailure)}`]),
      ].join(', '),
  );
  return [...tasks, ...activities];
}

interface CountedFailure {
  readonly times: number;
  readonly firstAt: IsoInstant | null;
  readonly lastAt: IsoInstant | null;
}

/** A poll that has no result yet fails too, which is no failure of anything. */
const isOfInterest = ({ type }: { readonly type: string }): boolean => type !== 'NotYet';

function failureLines({ events }: SupportFacts): string[] {
  const counted = new Map<string, CountedFailure>();
  for (const { at, failure } of events) {
    if (failure === null || !isOfInterest(failure)) continue;
    const text = failureText(failure);
    const { times, firstAt } = counted.get(text) ?? { times: 0, firstAt: at };
    counted.set(text, { times: times + 1, firstAt, lastAt: at });
  }
  return [...counted].map(
    ([text, { times, firstAt, lastAt }]) => `${times} × ${text}: ${atText(firstAt)} to ${atText(lastAt)}`,
  );
}

const eventLine = ({ at, what, failure }: PublicEvent): string =>
  `${atText(at)}  ${what}${failure === null ? '' : `: ${failureText(failure)}`}`;

function timelineLines(state: ShipmentState | null, standIns: StandIns): string[] {
  if (state === null) return ['(no worker answers)'];
  return newest(
    state.timeline.map(({ at, what }) => `${timeText(at)}  ${publicLine(what, standIns) ?? UNKNOWN_LINE}`),
  );
}

const STATUSES: readonly string[] = [...TRANSIT_STATUSES, ...LISTING_STATUSES];
const KINDS: readonly string[] = Object.values(TYPES);
/** Temporal's own: `category=WorkflowTaskFailed`. */
const IS_PROBLEM = /^(?:category|cause)=[A-Za-z]{1,80}$/;

/** What an attribute shows; any other attribute, and any other value, is only set. */
function attributeText(name: string, value: unknown, standIns: StandIns): string {
  const shown = [value].flat().flatMap((one): string[] => {
    if (typeof one === 'boolean') return [String(one)];
    if (typeof one !== 'string') return [];
    switch (name) {
      case 'Account':
        return [standIns.of('account', one)];
      case 'OrderId':
        return [standIns.of('order', one)];
      case 'ListingId':
        return [standIns.of('listing', one)];
      case 'ShipmentKind':
        return KINDS.includes(one) ? [one] : [];
      case 'ShipmentPhase':
        return phaseOf(one) === null ? [] : [one];
      case 'TransitStatus':
        return STATUSES.includes(one) ? [one] : [];
      case 'TemporalReportedProblems':
        return IS_PROBLEM.test(one) ? [one] : [];
      default:
        return [];
    }
  });
  return shown.length === 0 ? '(set)' : shown.join(', ');
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['OrderId', 'Account', 'ShipmentKind', 'ShipmentPhase', 'ListingId', 'TransitStatus', 'PickupOn'],
  ...['NeedsAttention', 'WaitsForAccount', 'TemporalReportedProblems', 'BuildIds'],
]);

/** The names that are in the list. Any other name may be private, and is only counted. */
function knownNames(fields: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): string[] {
  return Object.keys(fields).filter((name) => known.has(name));
}

function attributeLines({ searchAttributes }: OrderRecord, standIns: StandIns): string[] {
  const names = knownNames(searchAttributes, ATTRIBUTES);
  const others = Object.keys(searchAttributes).length - names.length;
  return [
    ...names.map((name) => `${name}: ${attributeText(name, searchAttributes[name], standIns)}`),
    ...(others === 0 ? [] : [`others: ${others}`]),
  ];
}

const MEMO: ReadonlySet<string> = new Set([
  ...['documentHash', 'waitingFor', 'waitsFor', 'placedAt', 'listingIds', 'restartStatement', 'withdrawn'],
  ...['standingListings', 'unreadableSince', 'asks', 'heardAt'],
]);

function memoText(name: string, value: unknown, standIns: StandIns): string {
  if (value === undefined) return '(cannot be decoded here)';
  const at = instantOf(value);
  if (at !== null) return timeText(at);
  if (name === 'listingIds')
    return (
      listOfIds(value)
        .map((id) => standIns.of('listing', id))
        .join(', ') || 'none'
    );
  if (name === 'asks') return askedKindOf(value) ?? 'none';
  return value === null ? 'none' : '(set)';
}

function memoLines({ memo }: OrderRecord, standIns: StandIns): string[] {
  const names = knownNames(memo, MEMO);
  const others = Object.keys(memo).length - names.length;
  return [
    ...names.map((name) => `${name}: ${memoText(name, memo[name], standIns)}`),
    ...(others === 0 ? [] : [`others: ${others}`]),
  ];
}

function settingLines({ account, policy }: SupportFacts): string[] {
  const known =
    account === null ? ['the accounts file here does not have the account'] : accountLines(account);
  const changed = policyLines(policy);
  return [
    ...known,
    ...(policy === undefined ? ['the policy of the order cannot be decoded here'] : changed),
    ...(policy !== undefined && changed.length === 0
      ? ['the policy of the order has the default values']
      : []),
  ];
}

const HEAD = `# Consign support bundle

You may paste this text in public. It contains only words of Consign and Temporal, numbers, codes and times.
Left out: names, companies, phones, addresses, prices, days, notes, references, labels, files, links, what people
answered, what the marketplace said, and values of settings that are free text. Ids are replaced: \`listing-1\` is the
same listing everywhere in this text. \`…\` marks a part that is left out. All times are UTC.`;

/** The bundle as Markdown. */
export function renderSupport(sections: readonly SupportSection[]): string {
  const parts = sections.map(({ title, lines }) => {
    const listed = lines.length === 0 ? ['none'] : lines;
    return `## ${title}\n\n\`\`\`text\n${listed.join('\n')}\n\`\`\``;
  });
  return [HEAD, ...parts].join('\n\n');
}
