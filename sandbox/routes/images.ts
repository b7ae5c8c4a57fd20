import { badUpload } from '../records/bad-elements';
import type { SandboxContext } from '../market/context';
import type { AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { problemWith } from '../model/errors';
import { isFilePart, isObject, objectOf, textOf } from '../model/json';
import type { StoredFile } from '../model/state';
import { switchesFor } from '../model/switches';

export const imageActs = { uploadListingImage };

type Image = Pick<StoredFile, 'fileName' | 'fileType' | 'bytes'> & {
  readonly form: 'multipart' | 'base64' | 'urls';
};

/** "Image payload: not shown. Response: not shown": three payloads are read, and any 2xx may be the answer. */
async function uploadListingImage(
  context: SandboxContext,
  { account, body, param }: AccountCall,
): Promise<Answer> {
  const listing = context.store.listing(param('listingId'), account);
  const { imageAnswerStatus, imageField, imageJsonField, imagePayload } = context.switches;
  const inJson = [...base64Images(body, imageJsonField), ...urlImages(body, imageJsonField)];
  const images = [...(await multipartImages(body, imageField)), ...inJson];
  if (images.length === 0)
    throw problemWith(imageField, 'an image is required: a file, base64 text or a list of addresses');
  for (const image of images) {
    if (imagePayload !== 'any' && image.form !== imagePayload)
      throw problemWith(imageField, `must be sent as ${imagePayload}`);
    if (!image.fileType.startsWith('image/'))
      throw problemWith(imageField, `${image.fileType} is not an image type`);
    if (image.bytes.length === 0) throw problemWith(imageField, 'is empty');
  }
  const origin = { attachmentType: 'Image', uploaderId: account.userId } as const;
  const stored = images.map(({ form: _form, ...image }) =>
    context.store.addFile(listing, { ...image, ...origin }),
  );
  context.history.touch(listing);
  if (imageAnswerStatus === 204) return { status: 204 };
  const { badElements } = switchesFor(listing, context);
  const good = stored.map((file) => context.records.attachment(listing, file));
  const items = [...badUpload(badElements), ...good];
  return { status: imageAnswerStatus, body: { totalCount: items.length, items } };
}

async function multipartImages(body: unknown, field: string): Promise<readonly Image[]> {
  const value = objectOf(body)[field];
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const images = parts.filter(isFilePart).map(async (part): Promise<Image> => ({
    form: 'multipart',
    fileName: part.filename,
    fileType: part.mimetype,
    bytes: await part.toBuffer(),
  }));
  return await Promise.all(images);
}

const base64Fields = ['file', 'image', 'content', 'data', 'base64', 'base64Content'];

/** Which field of JSON holds the image is not known either: those that were thought of, or the one of the switch. */
function base64Images(body: unknown, field: string): readonly Image[] {
  const object = objectOf(body);
  const names = field === 'any' ? base64Fields : [field];
  const text = names.map((name) => textOf(object[name])).find((value) => value !== '');
  if (text === undefined) return [];
  const [, mimeType, content] = /^data:([^;,]+);base64,(.*)$/su.exec(text) ?? [null, undefined, text];
  if (!/^[A-Za-z0-9+/\s]+={0,2}$/u.test(content ?? '')) throw problemWith('file', 'must be base64');
  const fileType = mimeType ?? (textOf(object['contentType']) || textOf(object['fileType']) || 'image/jpeg');
  const fileName = textOf(object['fileName']) || textOf(object['name']) || 'image';
  return [{ form: 'base64', fileName, fileType, bytes: Buffer.from(content ?? '', 'base64') }];
}

const urlFields = ['urls', 'images', 'imageUrls', 'items'];

function urlImages(body: unknown, field: string): readonly Image[] {
  const object = objectOf(body);
  const names = field === 'any' ? urlFields : [field];
  const isBareList = field === 'any' && Array.isArray(body);
  const list: unknown = isBareList ? body : names.map((name) => object[name]).find(Array.isArray);
  if (!Array.isArray(list)) return [];
  const entries: readonly unknown[] = list;
  return entries.map((entry, index): Image => {
    const address = isObject(entry) ? textOf(entry['url']) || textOf(entry['uri']) : textOf(entry);
    if (!URL.canParse(address)) throw problemWith(`urls[${index}]`, 'must be an address');
    const fileName = new URL(address).pathname.split('/').at(-1) ?? 'image';
    // The sandbox fetches nothing: it keeps the address in place of the picture.
    return { form: 'urls', fileName, fileType: 'image/jpeg', bytes: Buffer.from(address) };
  });
}
