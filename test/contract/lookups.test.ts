import { expect, test } from '@jest/globals';
import { useSandbox } from './sandbox-client';

const marketplace = useSandbox();

test.each(['en', 'fr', 'es'] as const)(
  'address types are looked up by commodity, in any language (%s)',
  async (labels) => {
    marketplace.sandbox.setSwitches({ labels });
    const types = await marketplace.open().listAddressTypes('NewCommercialGoods');
    expect(types).toContainEqual({ value: 'Residence', label: expect.stringMatching(/^R.sidenc/) });
    expect(types.map(({ value }) => value)).toContain('BusinessWithoutLoadingDockOrForklift');
    expect(marketplace.sandbox.requests('listAddressTypes')[0]?.path).toMatch(
      /commodityCode=NewCommercialGoods/,
    );
  },
);

test.each(['milliseconds', 'seconds', 'sevenDigits'] as const)(
  'an attachment of a listing is described, with timestamps in %s',
  async (timestamps) => {
    marketplace.sandbox.setSwitches({ timestamps });
    const client = marketplace.open();
    const listingId = await marketplace.createListing(client);
    marketplace.sandbox.controls.addAttachment(listingId, { fileName: 'claim.pdf', notes: 'dented' });
    const file = marketplace.sandbox.controls.listing(listingId).files.at(-1);
    const attachmentId = String(file?.attachmentId);
    expect(await client.getListingAttachment({ listingId, attachmentId })).toEqual({
      attachmentId,
      uri: expect.stringMatching(/^http.*claim\.pdf/),
      fileName: 'claim.pdf',
      fileType: 'application/pdf',
      fileSizeInBytes: file?.bytes.length,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      uploaderId: expect.stringMatching(/^\d+$/),
      type: file?.attachmentType,
      notes: 'dented',
    });
  },
);

test('a missing attachment is not found', async () => {
  const listingId = await marketplace.createListing();
  const asked = marketplace.open().getListingAttachment({ listingId, attachmentId: '1' });
  await expect(asked).rejects.toMatchObject({ status: 404, outcome: 'rejected' });
});
