import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { numberedOrders, noneBeside } from '../support/builders';
import { FAST_POLICY } from '../support/harness';
import { goOn, pendingFor } from '../support/next-run';
import { withWorld, type World } from '../support/worker-world';

const { ltl } = numberedOrders('PA');
const TEST_MS = 240_000;

const OAUTH_ACCOUNT = `
accounts:
  acme:
    environment: sandbox
    baseUrl: { env: SANDBOX_URL }
    auth:
      clientCredentials:
        clientId: { env: SANDBOX_CLIENT_ID, default: sandbox-client }
        clientSecret: { env: SANDBOX_CLIENT_SECRET, default: sandbox-secret }
    source: acme
    integratorId: acme-integrator
    timeZone: America/Chicago
`;

const timesAsked = ({ sandbox }: World): number => sandbox.requests('getAcceptanceStatus').length;

async function askedOn(world: World): Promise<void> {
  const before = timesAsked(world);
  await world.reach(() => timesAsked(world) >= before + 3);
}

test(
  'an acceptance that is pending since yesterday survives expired tokens and two killed workers, and books once',
  async () => {
    // Without events, so that nothing but asking for its status tells that it is booked.
    const options = { hasWebhooks: false, isPersistent: false, accounts: OAUTH_ACCOUNT };
    await withWorld(options, async (world) => {
      world.sandbox.setSwitches({ tokenLifetimeInSeconds: 2 });
      world.sandbox.setClock({ steps: { acceptancePending: 500_000 } });
      const shipment = ltl();
      const acceptance = { ...FAST_POLICY.acceptance, windowMs: DEFAULT_POLICY.acceptance.windowMs };
      await world.start(shipment, { acceptance });
      const { state } = await world.until(
        shipment,
        (view) => view.state?.at.phase === 'accepting' && view.state.at.pending !== null,
      );
      await goOn(world.client, shipment, {
        policy: { acceptance },
        carried: { state: pendingFor(state, 26) },
      });
      await askedOn(world);
      const tokens = world.sandbox.requests('createToken').length;
      for (let killed = 0; killed < 2; killed += 1) {
        await world.killWorker();
        await world.startWorker();
        await askedOn(world);
      }
      expect(world.ledgerOf(shipment).acceptances).toMatchObject([{ outcome: 'pending' }]);
      await world.until(shipment, ({ state: now }) => now !== null && now.at.phase !== 'accepting');
      const { status, state: end } = await world.until(shipment, (view) => view.status !== 'RUNNING');
      expect({ status, state: end }).toMatchObject({
        status: 'COMPLETED',
        state: {
          questionsAsked: 0,
          excludedRateIds: [],
          earlierAcceptances: [],
          candidates: noneBeside(),
          notices: [],
        },
      });
      expect(world.ledgerOf(shipment)).toMatchObject({
        ...{ created: 1, liveBookings: 1, mostLiveBookings: 1, rateRequests: [{}] },
        acceptances: [{ outcome: 'booked' }],
      });
      // Each worker needs one to begin with, and the last one outlived several.
      expect(world.sandbox.requests('createToken').length - tokens).toBeGreaterThan(5);
      const { events } = await world.client.workflow
        .getHandle(shipmentWorkflowId(shipment.account, shipment.orderId))
        .fetchHistory();
      const polls = (events ?? []).filter(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name === 'pollAcceptance',
      );
      expect(polls).toHaveLength(1);
    });
  },
  TEST_MS,
);
