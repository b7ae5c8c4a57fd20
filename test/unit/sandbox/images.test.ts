import { afterEach, expect, test } from '@jest/globals';
import { FormData } from 'undici';
import { ask, closeSandboxes, createListing, quickSandbox, asText } from './marketplace-client';

afterEach(closeSandboxes);

const imageForm = (type = 'image/jpeg', field = 'file', content = 'pretend jpeg'): FormData => {
  const form = new FormData();
  form.append(field, new File([content], 'sofa.jpg', { type }));
  return form;
};
const base64 = Buffer.from('pretend png').toString('base64');

test('an image sent as multipart is kept, counted and shown in the record', async () => {
  const sandbox = await quickSandbox();
  const path = `/v2/listings/${await createListing(sandbox)}`;
  const reply = await ask(sandbox, 'POST', `${path}/images`, { multipart: imageForm() });
  expect(reply.body).toMatchObject({
    totalCount: 1,
    items: [{ fileName: 'sofa.jpg', fileType: 'image/jpeg' }],
  });
  const { gallery } = (await ask(sandbox, 'GET', path)).body;
  const image = await ask(sandbox, 'GET', asText(gallery?.[0]), { key: null });
  expect([image.status, image.text]).toEqual([200, 'pretend jpeg']);
  expect(sandbox.order('acme/o-1').images).toBe(1);
});

test('several files of one upload are kept, and recorded by name', async () => {
  const sandbox = await quickSandbox();
  const path = `/v2/listings/${await createListing(sandbox)}/images`;
  const multipart = imageForm();
  multipart.append('file', new File(['back'], 'back.jpg', { type: 'image/jpeg' }));
  multipart.append('note', 'two views');
  expect((await ask(sandbox, 'POST', path, { multipart })).body).toMatchObject({ totalCount: 2 });
  const recorded = await ask(sandbox, 'GET', '/_sandbox/requests?endpoint=uploadListingImage');
  expect(recorded.body['items']?.[0]).toMatchObject({
    body: {
      file: [{ fileName: 'sofa.jpg', contentType: 'image/jpeg' }, { fileName: 'back.jpg' }],
      note: 'two views',
    },
  });
});

test.each([
  ['base64 text', { file: base64, fileName: 'sofa.png', contentType: 'image/png' }, 1],
  ['a data address', { image: `data:image/png;base64,${base64}` }, 1],
  ['a list of addresses', { urls: ['https://cdn.example/sofa.jpg', 'https://cdn.example/back.jpg'] }, 2],
])('an image sent as %s is kept', async (_what, json, count) => {
  const sandbox = await quickSandbox();
  const listingId = await createListing(sandbox);
  const reply = await ask(sandbox, 'POST', `/v2/listings/${listingId}/images`, { json });
  expect([reply.status, sandbox.order('acme/o-1').images]).toEqual([201, count]);
});

test.each([
  ['nothing', { json: {} }],
  ['another field', { multipart: imageForm('image/jpeg', 'picture') }],
  ['a text file', { multipart: imageForm('text/plain') }],
  ['an empty file', { multipart: imageForm('image/jpeg', 'file', '') }],
  ['text that is not base64', { json: { file: '%%%' } }],
])('an upload of %s is refused', async (_what, how) => {
  const sandbox = await quickSandbox();
  const listingId = await createListing(sandbox);
  expect((await ask(sandbox, 'POST', `/v2/listings/${listingId}/images`, how)).status).toBe(400);
  expect(sandbox.order('acme/o-1').images).toBe(0);
});

test('the switches choose the payload, the field and the status', async () => {
  const switches = { imagePayload: 'multipart', imageField: 'picture', imageAnswerStatus: 204 } as const;
  const sandbox = await quickSandbox({ switches });
  const path = `/v2/listings/${await createListing(sandbox)}/images`;
  expect((await ask(sandbox, 'POST', path, { json: { file: base64 } })).status).toBe(400);
  expect((await ask(sandbox, 'POST', path, { multipart: imageForm('image/png', 'picture') })).status).toBe(
    204,
  );
});

test('an image for a listing that does not exist answers 404', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/v2/listings/999999999/images', { multipart: imageForm() });
  expect(reply.status).toBe(404);
});
