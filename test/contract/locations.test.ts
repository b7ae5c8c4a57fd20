import { expect, test } from '@jest/globals';
import { useSandbox } from './sandbox-client';

const marketplace = useSandbox();

test('a Location on a host that no setting names leaves the creation in doubt, and names the host', async () => {
  marketplace.sandbox.setSwitches({ locationHost: 'listings.example' });
  await expect(marketplace.createListing()).rejects.toMatchObject({
    outcome: 'inDoubt',
    message: expect.stringContaining('listings.example'),
  });
});

test('the Location of a rate request may name any host', async () => {
  marketplace.sandbox.setSwitches({ rateRequestLocationHost: 'rates.example' });
  expect((await marketplace.requestRates()).length).toBeGreaterThanOrEqual(3);
});

test.each(['full', 'relative', 'bare'] as const)(
  'a session at the end of a %s Location is not part of an id',
  async (location) => {
    marketplace.sandbox.setSwitches({ location, locationSession: true });
    expect(await marketplace.createListing()).toMatch(/^\d{9}$/u);
    expect(await marketplace.bookRate()).toMatch(/^\d{9}$/u);
  },
);
