import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { sendAnswer, sendWithdrawal } from '../../src/starter/client/send-answer';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { goOn } from '../support/next-run';
import { until } from '../support/temporal';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

/** What Temporal's web UI shows at the top of a workflow, as Markdown. */
async function detailsOf(shipment: Shipment): Promise<string> {
  const metadata = await harness
    .handleOf(shipment)
    .query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

interface Told {
  readonly name: string;
  readonly summary: string | null;
}

/** Every activity and timer of the history, with the summary that the web UI shows beside it. */
async function stepsOf(shipment: Shipment): Promise<readonly Told[]> {
  const { events } = await harness.handleOf(shipment).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
    const name = activity ?? (event.timerStartedEventAttributes == null ? null : 'timer');
    if (name == null) return [];
    const summary = event.userMetadata?.summary?.data;
    return [{ name, summary: summary == null ? null : String(JSON.parse(Buffer.from(summary).toString())) }];
  });
}

/** The summaries of the timers that were started, and of those that still run. */
async function timersOf(shipment: Shipment): Promise<{ readonly all: string[]; readonly open: string[] }> {
  const { events } = await harness.handleOf(shipment).fetchHistory();
  const started = new Map<string, string>();
  const over = new Set<string>();
  for (const event of events ?? []) {
    const id = event.timerStartedEventAttributes?.timerId;
    const summary = event.userMetadata?.summary?.data;
    if (id != null && summary != null) started.set(id, String(JSON.parse(Buffer.from(summary).toString())));
    over.add((event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes)?.timerId ?? '');
  }
  const open = [...started].filter(([id]) => !over.has(id));
  return { all: [...started.values()], open: open.map(([, summary]) => summary) };
}

/** What goes on for long, so that a stranger who opens the page wants to know why; the others say it by their name. */
const isWait = ({ name }: Told): boolean => /^(watch|poll|collect|fetch|timer)/.test(name);
const FURNITURE = ['createListing', 'watchListing', 'timer'];
const LTL = ['collectRates', 'pollAcceptance', 'watchListing', 'timer'];

test.each([
  ['furniture', FURNITURE],
  ['ltl', LTL],
] as const)(
  'the web UI shows the timeline of a %s order: what it waits for, what may be done',
  async (kind, waits) => {
    const priceLimit = { minorUnits: 100, currency: 'USD' };
    const shipment = kind === 'furniture' ? aFurnitureShipment({ priceLimit }) : anLtlShipment();
    await harness.start(shipment, { rateRule: { ...FAST_POLICY.rateRule, priceCap: priceLimit } });
    const question = kind === 'furniture' ? 'priceApproval' : 'rateChoice';
    const questionId = await harness.asked(shipment, question);

    const waiting = await harness.until(
      shipment,
      ({ waitingFor }) => waitingFor?.startsWith('a person') === true,
    );
    const asks = waiting.state?.question?.text ?? '';
    expect(waiting.waitingFor).toContain(asks);
    expect(waiting.waitingFor).toContain(
      `answer question ${questionId} with one of: \`consign answer acme/${shipment.orderId} `,
    );
    const asked = await detailsOf(shipment);
    expect(asked).toMatch(/^\*\*(quoting|collectingRates)\*\*\n/);
    expect(asked).toContain(`Waits for a person: ${asks}`);
    expect(asked).toContain(`You may: answer question ${questionId}`);
    expect(asked).toMatch(/\n- \d{4}-\S+Z order checked/);

    const beside = (await timersOf(shipment)).open.filter(isOfQuestion);
    expect(beside).toEqual([
      expect.stringMatching(kind === 'furniture' ? /^The price of USD / : /^No rate fits /),
    ]);
    expect(beside[0]).toContain(`(${questionId}; consign show acme/${shipment.orderId})`);

    const rateId = waiting.state?.rates[0]?.rateId ?? '';
    const answer =
      kind === 'furniture' ? ({ kind: 'approve' } as const) : ({ kind: 'selectRate', rateId } as const);
    await sendAnswer(harness.handleOf(shipment), { questionId, ...BY }, answer);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');

    // One for each question, and none is left.
    const timers = await timersOf(shipment);
    expect(timers.all.filter(isOfQuestion)).toHaveLength(state?.questionsAsked ?? -1);
    expect(timers.open.filter(isOfQuestion)).toEqual([]);

    const found = await harness.handleOf(shipment).describe();
    expect(await found.staticSummary()).toBe(`${kind} acme/${shipment.orderId}: ${shipment.title}`);
    expect(found.memo).toMatchObject({ waitingFor: 'nothing' });
    const told = await detailsOf(shipment);
    expect(told).toMatch(/^\*\*settled\*\*\n/);
    expect(told).not.toContain('Waits for');
    for (const fact of [
      `- Listing: ${state?.listing?.listingId}`,
      `- Carrier: ${state?.listing?.carrier?.displayName}`,
      '- Listing costs: USD ',
      '- Bill of lading: ',
      '- Transit: Delivered',
      'price settled; completed',
    ])
      expect(told).toContain(fact);

    const steps = await stepsOf(shipment);
    expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining([...waits]));
    const untold = steps.filter((step) => isWait(step) && (step.summary ?? '') === '');
    expect(untold).toEqual([]);
    expect(steps.map(({ summary }) => summary)).toContain('until the price is settled');
    expect(steps.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^reads listing \d+ until it changes$/),
    );
  },
);

const isOfQuestion = (summary: string): boolean => summary.includes('consign show');
const dear = (orderId: string) =>
  aFurnitureShipment({ orderId, priceLimit: { minorUnits: 100, currency: 'USD' } });

test('a run after continue-as-new shows its open question there, and accepts its answer', async () => {
  const shipment = dear('SO-goes-on');
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'priceApproval');
  const { state } = await harness.until(shipment, () => true);
  if (state === null) throw new TypeError('no worker answers');
  await goOn(harness.temporal.client, shipment, { carried: { state } });
  await until(async () => (await timersOf(shipment)).open.length > 0);
  expect((await timersOf(shipment)).open).toEqual([expect.stringContaining(`(${questionId}; `)]);
  await sendAnswer(harness.handleOf(shipment), { questionId, ...BY }, { kind: 'approve' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect((await timersOf(shipment)).open.filter(isOfQuestion)).toEqual([]);
});

test('a question that a withdrawal closes is no longer shown', async () => {
  const shipment = dear('SO-withdrawn');
  await harness.start(shipment);
  await harness.asked(shipment, 'priceApproval');
  expect((await timersOf(shipment)).open.filter(isOfQuestion)).toHaveLength(1);
  await sendWithdrawal(harness.handleOf(shipment), BY);
  await harness.ended(shipment);
  expect((await timersOf(shipment)).open).toEqual([]);
});
