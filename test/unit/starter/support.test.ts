import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import {
  defaultDataConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
} from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { msNumberToTs } from '@temporalio/common/lib/time';
import type { AccountReport } from '../../../src/accounts/report';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { FurnitureShipment } from '../../../src/domain/shipment';
import {
  addTimeline,
  enterPhase,
  initialState,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { renderSupport, supportSections, type SupportFacts } from '../../../src/starter/cli/support/bundle';
import { KNOWN_LINES, publicLine } from '../../../src/starter/cli/support/known-lines';
import { policyLines, variableNames } from '../../../src/starter/cli/support/public-settings';
import { StandIns } from '../../../src/starter/cli/support/stand-ins';
import { KeptPayloads } from '../../../src/starter/client/kept-payloads';
import { orderInput } from '../../../src/starter/client/order-input';
import type { HistoryEvent, OrderRecord } from '../../../src/starter/client/order-record';
import { pendingActivities, publicHistory } from '../../../src/starter/client/public-history';
import { publicBuild } from '../../../src/starter/client/public-versions';
import { aFurnitureShipment, anLtlShipment, aRate, aStop, waitOf } from '../../support/builders';
import { CANARIES, hitsIn } from '../../support/canaries';

const ROOT = path.join(__dirname, '..', '..', '..');
const AT = '2035-03-01T10:00:00.000Z';
const ALL = Object.values(CANARIES).join(' and ');

const shown = (text: string): string | null => publicLine(text, new StandIns());

/** A content for each hole of a line, and how it is shown. */
const CONTENTS: Readonly<Record<string, readonly [content: string, shown: string]>> = {
  '…': ['Zebulon', '…'],
  account: ['acme', 'account-1'],
  attachment: ['5512', 'attachment-1'],
  event: ['0f-1', 'event-1'],
  listing: ['273679133', 'listing-1'],
  rate: ['r-9', 'rate-1'],
  answer: ['retry', 'retry'],
  count: ['3', '3'],
  outcome: ['notSent', 'notSent'],
  reason: ['POST /v2/listings answered 503: busy', 'a call was answered with 503'],
  status: ['Active', 'Active'],
};
const filled = (line: string, of: (hole: string) => string): string =>
  line.replaceAll(/\{([^}]*)\}/g, (_, hole: string) => of(hole));

test.each(KNOWN_LINES)('the line %j is shown, and no line before it hides it', (line) => {
  expect(shown(filled(line, (hole) => CONTENTS[hole]?.[0] ?? `no such hole: ${hole}`))).toBe(
    filled(line, (hole) => CONTENTS[hole]?.[1] ?? ''),
  );
});

test('whatever stands in a line, only words of the list and of closed lists are shown', () => {
  const { name, postalCode, plainPassword } = CANARIES;
  const contents = [ALL, name, postalCode, plainPassword, `${name}; it is sent again`];
  const leaked = KNOWN_LINES.flatMap((line) =>
    contents.flatMap((canary) => hitsIn(shown(filled(line, () => canary)) ?? '')),
  );
  expect(leaked).toEqual([]);
});

test.each([
  ALL,
  `${CANARIES.name} was here`,
  `listing 1 ${CANARIES.street}`,
  `rates requested ${CANARIES.phone}`,
])('a line that is not in the list is not shown: %j', (text) => {
  expect(shown(text)).toBeNull();
});

test.each([
  ['POST /v2/listings answered 400: 40006 title [request 0a1b2c3d]', 'a call was answered with 400'],
  [
    'GET /v2/listings/273679133 got no answer: ECONNRESET, the request may have arrived',
    'a call got no answer',
  ],
  [`POST /v2/${CANARIES.plainPassword} answered nothing`, '…'],
])('of the reason %j is shown %j', (reason, said) => {
  expect(shown(`no tracking: ${reason}`)).toBe(`no tracking: ${said}`);
});

test('equal ids have equal stand-ins, and different ids different ones', () => {
  const standIns = new StandIns();
  const ids = ['273679133', '273679134', '273679133'];
  expect(ids.map((id) => publicLine(`listing ${id} is taken`, standIns))).toEqual([
    'listing listing-1 is taken',
    'listing listing-2 is taken',
    'listing listing-1 is taken',
  ]);
  expect(standIns.of('rate', '273679133')).toBe('rate-1');
});

/** The functions that write a line of the timeline as their last argument. */
const WRITERS: ReadonlySet<string> = new Set([
  ...['addTimeline', 'addWarning', 'enter', 'follow', 'followProven', 'closeAsCancelled'],
]);
/** Lines that are put together from several texts. */
const COMPOSED = [
  ...['X: X', 'XX', 'bookedX', 'booked anewX', 'X uploaded', 'X was not uploaded: X'],
  ...['X; the question is taken back', 'X: the marketplace holds the shipment up'],
  ...['X after delivery; it can be disputed for 72 business hours'],
  ...['listing X carries our reference too (X)X'],
];

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A text, with `X` for each part that is computed; null for any other expression. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null;
  return node.quasis.map((quasi: unknown) => (isNode(quasi) ? String(quasi.cooked) : '')).join('X');
}

function calledName(callee: unknown): string {
  if (!isNode(callee)) return '';
  return String(
    callee.type === 'MemberExpression' && isNode(callee.property) ? callee.property.value : callee.value,
  );
}

function* linesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const part of node) yield* linesIn(part);
  if (!isNode(node) || Array.isArray(node)) return;
  if (node.type === 'CallExpression' && WRITERS.has(calledName(node.callee))) {
    const last: unknown = Array.isArray(node.arguments) ? node.arguments.at(-1) : null;
    const text = isNode(last) ? textOf(last.expression) : null;
    if (text !== null) yield text;
  }
  for (const [key, part] of Object.entries(node)) if (key !== 'span') yield* linesIn(part);
}

test('the list has every line that the workflows write', () => {
  const files = ['src/workflows', 'src/domain'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(ROOT, folder, name)),
  );
  const lines = files.flatMap((file) => [
    ...linesIn(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' }).body),
  ]);
  expect(lines.length).toBeGreaterThan(70);
  expect(lines.filter((line) => shown(line) === null && !COMPOSED.includes(line))).toEqual([]);
  // Without the exceptions that nothing needs any more.
  expect(COMPOSED.filter((line) => !lines.includes(line))).toEqual([]);
});

const PHASES: readonly ShipmentState[] = [
  initialState(aFurnitureShipment()),
  initialState(anLtlShipment()),
  ...(
    [
      { phase: 'quoting' },
      { phase: 'listing', doubt: null, isResent: false },
      { phase: 'awaitingBooking', listingId: '7', unverified: null },
      { phase: 'collectingRates', request: null },
      {
        phase: 'accepting',
        request: { rateRequestId: 'q', attempt: 1, requestedAt: AT },
        rate: aRate({ rateId: 'r' }),
        ...{ pending: null, doubt: null, isResent: false },
      },
      { phase: 'booked', listingId: '7' },
      { phase: 'inTransit', listingId: '7' },
      { phase: 'delivered', listingId: '7', deliveredAt: AT, readsOnSince: null },
    ] as const
  ).map((at) => enterPhase(initialState(aFurnitureShipment()), at)),
];

test.each(PHASES.map((state) => [state.at.phase, state] as const))(
  'what a shipment in phase %s waits for is in the list',
  (_, state) => {
    expect(shown(waitOf(state)?.what ?? '')).not.toBeNull();
  },
);

const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) ?? {};
const payloads = (value: unknown) => ({ payloads: [payload(value)] });
const fields = (values: object) => ({
  fields: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, payload(value)])),
});

const address = {
  ...aStop().address,
  ...{ street: CANARIES.street, unit: CANARIES.unit, city: CANARIES.town, postalCode: CANARIES.postalCode },
};
const contact = {
  name: CANARIES.name,
  companyName: CANARIES.company,
  phone: CANARIES.phone,
  email: CANARIES.email,
};
const stop = aStop({ address, contact });
const SHIPMENT: FurnitureShipment = aFurnitureShipment({
  ...{ account: 'quux-sons', orderId: 'ZQ-4711', title: ALL, description: ALL, driverNotes: CANARIES.note },
  ...{ origin: stop, destination: stop, labels: { [ALL]: ALL } },
  references: [{ type: 'Other', number: ALL, label: ALL }],
});
const OWN_IDS = ['quux-sons', 'ZQ-4711', '273679133'];

/** A failure as an activity reports it; each text of it is a canary. */
const failure = (type: string, details: object = { operation: ALL, status: 500, codes: [ALL, '40006'] }) => ({
  ...{ message: ALL, stackTrace: ALL, source: ALL },
  applicationFailureInfo: { type, details: payloads(details) },
});

let eventIds = 0;
const event = (attributes: object): HistoryEvent => ({
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the text of the id is read
  eventId: ++eventIds as unknown as NonNullable<HistoryEvent['eventId']>,
  eventTime: msNumberToTs(Date.parse(AT)),
  ...attributes,
});

function activity(name: string, ...ends: ((scheduledEventId: unknown) => object)[]): HistoryEvent[] {
  const scheduled = event({
    activityTaskScheduledEventAttributes: { activityType: { name }, input: payloads(ALL) },
  });
  return [scheduled, ...ends.map((end) => event(end(scheduled.eventId)))];
}

const EVENTS: readonly HistoryEvent[] = [
  event({
    workflowExecutionStartedEventAttributes: {
      ...{ workflowType: { name: ALL }, identity: ALL },
      input: payloads({ shipment: SHIPMENT, policy: { ...DEFAULT_POLICY, paymentMethodId: ALL } }),
    },
  }),
  ...activity('createListing', (scheduledEventId) => ({
    activityTaskFailedEventAttributes: {
      ...{ scheduledEventId, identity: ALL },
      failure: failure('InDoubt', {
        operation: 'createListing',
        listingId: null,
        status: 503,
        codes: ['40006', ALL],
      }),
    },
  })),
  ...activity(
    ALL,
    (scheduledEventId) => ({
      activityTaskStartedEventAttributes: { scheduledEventId, attempt: 4, lastFailure: failure(ALL) },
    }),
    (scheduledEventId) => ({
      activityTaskFailedEventAttributes: { scheduledEventId, failure: failure(ALL) },
    }),
  ),
  ...activity('watchListing', (scheduledEventId) => ({
    activityTaskTimedOutEventAttributes: {
      scheduledEventId,
      failure: { message: ALL, timeoutFailureInfo: { timeoutType: 4, lastHeartbeatDetails: payloads(ALL) } },
    },
  })),
  event({ workflowTaskFailedEventAttributes: { cause: 24, identity: ALL, failure: failure('TypeError') } }),
  event({
    workflowExecutionSignaledEventAttributes: { signalName: ALL, input: payloads(ALL), identity: ALL },
  }),
  event({ workflowExecutionSignaledEventAttributes: { signalName: 'marketplaceEventReceived' } }),
  event({
    workflowExecutionUpdateAcceptedEventAttributes: {
      acceptedRequest: { input: { name: 'approvePrice', args: payloads({ by: ALL, reason: ALL }) } },
    },
  }),
  event({ workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: { input: { name: ALL } } } }),
  event({ workflowExecutionUpdateCompletedEventAttributes: { outcome: { failure: failure(ALL) } } }),
  event({
    upsertWorkflowSearchAttributesEventAttributes: {
      searchAttributes: { indexedFields: { ShipmentPhase: payload('booked'), [ALL]: payload(ALL) } },
    },
  }),
  event({
    upsertWorkflowSearchAttributesEventAttributes: {
      searchAttributes: { indexedFields: { ShipmentPhase: payload(ALL) } },
    },
  }),
  event({
    workflowPropertiesModifiedEventAttributes: {
      upsertedMemo: fields({ asks: { kind: 'inDoubt', since: ALL }, waitingFor: ALL }),
    },
  }),
  event({ workflowPropertiesModifiedEventAttributes: { upsertedMemo: fields({ asks: { kind: ALL } }) } }),
  event({ workflowExecutionFailedEventAttributes: { failure: failure('FailedBeforeBooking') } }),
];

const ACCOUNT: AccountReport = {
  ...{ name: 'quux-sons', environment: 'production', baseUrl: ALL, webUrl: ALL, auth: 'apiKey' },
  secrets: [{ path: ALL, reference: ALL, state: 'present' }],
  ...{ source: ALL, integratorId: ALL, userId: ALL, paymentMethodId: ALL, supportAddress: ALL },
  ...{ callsPerSecond: 4, timeZone: ALL, locations: [ALL], endpoints: [{ name: ALL, events: ['booked'] }] },
  settings: {
    listPrice: 'priceWithPremium',
    affiliate: ALL,
    statusNames: { Booked: [ALL] },
    locationHosts: [ALL],
  },
  ...{ policy: { [ALL]: ALL }, warnings: [ALL] },
};

/** A state in which every text is a canary. */
function canaryState(): ShipmentState {
  const base = enterPhase(initialState(SHIPMENT), { phase: 'booked', listingId: '273679133' });
  const lines = [...KNOWN_LINES.map((line) => filled(line, () => ALL)), ALL];
  const noted = lines.reduce((state, line) => addTimeline(state, AT, line), base);
  return {
    ...noted,
    ...{ phaseSince: AT, notices: [ALL], said: [{ at: AT, about: ALL, words: ALL }], lastSeen: ALL },
    question: {
      ...{
        id: ALL,
        kind: 'inDoubt',
        text: ALL,
        since: AT,
        answers: ['adopt', 'resend'],
        supportAddress: ALL,
      },
      ...{ listingIds: [ALL], offer: null, resendFrom: AT },
    },
    pause: { reason: ALL, status: 401, since: AT },
    unreadable: { since: AT, reason: ALL, isMissing: true },
    unknownValues: [{ value: ALL, times: 3 }],
  };
}

interface Over {
  readonly converter?: LoadedDataConverter;
  readonly events?: readonly HistoryEvent[];
  readonly state?: ShipmentState | null;
}

async function bundle({
  converter = defaultDataConverter,
  events = EVENTS,
  state = null,
}: Over = {}): Promise<string> {
  const kept = new KeptPayloads(converter);
  const description = {
    workflowExecutionInfo: {
      ...{ execution: { workflowId: ALL, runId: 'r' }, type: { name: 'furnitureShipment' }, status: 1 },
    },
    pendingActivities: [
      {
        ...{ activityType: { name: 'pollAcceptance' }, state: 1, attempt: 7, lastWorkerIdentity: ALL },
        lastFailure: failure('Unavailable', { operation: 'getAcceptanceStatus', status: 502, codes: [ALL] }),
      },
    ],
    pendingWorkflowTask: { state: 1, attempt: 3 },
  };
  const searchAttributes = {
    ...{ OrderId: 'ZQ-4711', Account: 'quux-sons', ListingId: ['273679133'], ShipmentKind: ['furniture'] },
    ...{ ShipmentPhase: ['booked'], TransitStatus: [ALL], NeedsAttention: [true], [ALL]: [ALL] },
    TemporalReportedProblems: ['category=WorkflowTaskFailed', ALL],
  };
  const memo = {
    ...{ documentHash: ALL, waitingFor: ALL, waitsFor: `a person: ${ALL}`, placedAt: AT, [ALL]: ALL },
    ...{
      listingIds: ['273679133'],
      asks: { kind: 'inDoubt', since: AT },
      withdrawn: { by: ALL, reason: ALL },
    },
  };
  const record: OrderRecord = {
    order: { account: 'quux-sons', orderId: 'ZQ-4711' },
    ...{ description, runs: [events], isWhole: false, state, payloads: kept },
    memo: await kept.readMemo(fields(memo).fields),
    searchAttributes: await kept.readAttributes(fields(searchAttributes).fields),
  };
  const facts: SupportFacts = {
    ...{ madeAt: AT, consign: '1.2.3', node: 'v20.0.0', record, account: ACCOUNT },
    versions: { sdk: '1.24.0', server: '1.32.0', workerSdk: '1.24.0', workerBuild: publicBuild(ALL) },
    events: await publicHistory(events, kept),
    pending: await pendingActivities(description, kept),
    workers: { shipments: 0, account: null },
    policy: (await orderInput(record))?.policy,
    variables: variableNames({ CONSIGN_FILES: ALL, [ALL]: ALL, ACME_ZEBULON_KEY: ALL }),
  };
  return renderSupport(supportSections(facts));
}

test('a bundle names no canary, however often it was written into the record of the order', async () => {
  for (const state of [null, canaryState()]) {
    const text = await bundle({ state });
    expect(hitsIn(text)).toEqual([]);
    expect([...OWN_IDS, 'ACME_ZEBULON_KEY'].filter((id) => text.includes(id))).toEqual([]);
  }
});

test('a bundle has the phase, the question, pending activities and failures by type and code', async () => {
  const lines = (await bundle({ state: canaryState() })).split('\n');
  for (const line of [
    'order: account-1/order-1',
    'kind: furniture',
    'phase: booked since 2035-03-01 10:00:00Z',
    'question: inDoubt since 2035-03-01 10:00:00Z; answers adopt, resend, resend from 2035-03-01 10:00:00Z',
    'workflow task: scheduled, attempt 3',
    'pollAcceptance: scheduled, attempt 7, scheduled unknown time, last failure Unavailable (getAcceptanceStatus, 502)',
    '1 × InDoubt (createListing, 503, 40006): 2035-03-01 10:00:00Z to 2035-03-01 10:00:00Z',
    '2035-03-01 10:00:00Z  createListing failed: InDoubt (createListing, 503, 40006)',
    '2035-03-01 10:00:00Z  watchListing timed out: heartbeat time-out',
    '2035-03-01 10:00:00Z  workflow task failed: non deterministic error: TypeError (500, 40006)',
    '2035-03-01 10:00:00Z  signal marketplaceEventReceived',
    '2035-03-01 10:00:00Z  signal of another name',
    '2035-03-01 10:00:00Z  update approvePrice',
    '2035-03-01 10:00:00Z  phase booked',
    '2035-03-01 10:00:00Z  asks inDoubt',
    'ListingId: listing-1',
    'TransitStatus: (set)',
    'TemporalReportedProblems: category=WorkflowTaskFailed',
    'setting listPrice: priceWithPremium',
    'setting affiliate: (set, left out)',
    'policy paymentMethodId: (set, left out)',
    'CONSIGN_FILES',
  ])
    expect(lines).toContain(line);
});

test('payloads that cannot be decoded are counted, and the rest of the bundle is there', async () => {
  const decode = async () => await Promise.reject(new Error(ALL));
  const encode = async (given: Payload[]) => await Promise.resolve(given);
  const text = await bundle({ converter: { ...defaultDataConverter, payloadCodecs: [{ encode, decode }] } });
  expect(text).toMatch(/payloads that cannot be decoded here: [1-9]/);
  expect(text).toContain('createListing failed: InDoubt');
  expect(text).toContain('waitingFor: (cannot be decoded here)');
  expect(text).toContain('the policy of the order cannot be decoded here');
  expect(hitsIn(text)).toEqual([]);
});

const recorded = (name: string): readonly HistoryEvent[] => {
  const file = path.join(ROOT, 'test', 'fixtures', 'histories', `${name}.json`);
  return historyFromJSON(JSON.parse(readFileSync(file, 'utf8'))).events ?? [];
};
/** What the orders of the recorded histories say of people and places. */
const OF_BUILDERS = [
  'Pat',
  'Doe',
  'Vantage',
  '9th St',
  'Austin',
  'Dallas',
  '555',
  '78703',
  '75207',
  'Sofa',
  'Tiles',
];

test.each([
  ['furniture-in-doubt', 'createListing failed: InDoubt (createListing'],
  ['ltl-second-rate', 'phase accepting'],
  ['furniture-approved', 'update approvePrice'],
])('the recorded history %s says %j, and names nobody', async (name, line) => {
  const text = await bundle({ events: recorded(name) });
  expect(text).toContain(line);
  expect(text).toContain('the run starts');
  const history = text.slice(text.indexOf("## Temporal's history"), text.indexOf("## Consign's timeline"));
  expect(OF_BUILDERS.filter((word) => history.includes(word))).toEqual([]);
});

test.each([
  ['2f1c9abd', '2f1c9abd'],
  ['v1.4.0', 'v1.4.0'],
  [`@temporalio/worker@1.24.0+${'ab12'.repeat(16)}`, `@temporalio/worker@1.24.0+${'ab12'.repeat(16)}`],
  ['zebra-freight-7', '(set, left out)'],
  ['5125550147', '(set, left out)'],
  ['', null],
])('the build id %j is shown as %j', (id, said) => {
  expect(publicBuild(id)).toBe(said);
});

test('of a policy, numbers and words of closed lists are shown, and no other text', () => {
  const policy = {
    ...DEFAULT_POLICY,
    rateRule: {
      ...DEFAULT_POLICY.rateRule,
      ...{ prefer: 'fastest', priceCap: { minorUnits: 65_000, currency: 'USD' }, allowedCarriers: [ALL] },
    },
    ...{ paymentMethodId: CANARIES.key, doubtWaitMs: 5, [ALL]: ALL },
  };
  expect(policyLines(policy)).toEqual([
    'policy rateRule.prefer: fastest',
    'policy rateRule.priceCap: (set, left out)',
    'policy rateRule.allowedCarriers: (1 entries, left out)',
    'policy paymentMethodId: (set, left out)',
    'policy doubtWaitMs: 5',
  ]);
});
