import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { EXTENSIONS, typeOf, type KnownType } from '../../platform/download/content-type';
import { download, DownloadError, type DownloadTrouble } from '../../platform/download/download';
import { cleanFileName } from '../../platform/download/file-name';
import { DamagedImageError, withoutMetadata } from '../../platform/download/image-metadata';
import type { StoredImage } from '../../domain/shipment';
import type { FileStore } from '../../platform/file-store';
import type { Problem } from '../../orders/parse-order';
import { errorCode } from '../../platform/error-code';
import { InvalidOrderError } from './errors';
import type { GoodOrder, ReadOrder } from './order-files';
import type { StartableOrder } from './start-order';

/** Of one image, unless the configuration says otherwise. */
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 30_000;
/** How many are stored at once: they are held in memory until then. */
const AT_ONCE = 4;

/** Formats that every marketplace can show; the API does not document which it accepts. */
const TAKEN = ['image/jpeg', 'image/png'] as const satisfies readonly KnownType[];
type TakenType = (typeof TAKEN)[number];

/** `anywhere`: files, https, and http on this machine. `https`: only that. */
export type ImageOrigin = 'anywhere' | 'https';

interface ImageLimits {
  readonly maxBytes: number;
  readonly from: ImageOrigin;
}

/** Why one image cannot be used. */
class Unusable extends Error {
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(problem);
  }
}

const placeOf = (index: number): string => `$.images[${index}]`;

const mayComeFrom = (source: string, origin: ImageOrigin): boolean =>
  origin === 'anywhere' || /^https:\/\//i.test(source);

const NOT_HTTPS = { problem: 'is not an https URL', remedy: "give the image's public https URL" };

/** The order, refused where an image comes from elsewhere. Fetches and stores nothing. */
export function keepImagesFrom(origin: ImageOrigin, read: ReadOrder): ReadOrder {
  if (!read.ok) return read;
  const problems = read.imageSources.flatMap((source, index) =>
    mayComeFrom(source, origin) ? [] : [{ path: placeOf(index), ...NOT_HTTPS }],
  );
  return problems.length === 0 ? read : { ok: false, file: read.file, problems, warnings: read.warnings };
}

/**
 * Stores the order's images where workers can read them. Sources are paths, relative to the order's file, or https
 * URLs; their content decides their type.
 * @throws InvalidOrderError with the problems of all of them
 */
export async function storeImages(
  read: GoodOrder,
  files: FileStore,
  {
    maxBytes = DEFAULT_MAX_BYTES,
    from: origin = 'anywhere',
  }: { readonly [K in keyof ImageLimits]?: ImageLimits[K] | undefined } = {},
): Promise<StartableOrder> {
  const { order, imageSources } = read;
  if (order.shipment.kind !== 'furniture' || imageSources.length === 0) return order;
  const problems: Problem[] = [];
  const images: StoredImage[] = [];
  for (let from = 0; from < imageSources.length; from += AT_ONCE) {
    const group = imageSources.slice(from, from + AT_ONCE);
    const stored = await Promise.all(
      group.map(async (source, index) => {
        try {
          const limits = { maxBytes, from: origin };
          return await storeImage(source, from + index + 1, read, { files, ...limits });
        } catch (error) {
          if (!(error instanceof Unusable)) throw error;
          const { problem, remedy } = error;
          return { path: placeOf(from + index), problem, remedy };
        }
      }),
    );
    for (const one of stored) {
      if ('problem' in one) problems.push(one);
      else images.push(one);
    }
  }
  if (problems.length > 0) throw new InvalidOrderError(read.file, problems, read.warnings);
  return { ...order, shipment: { ...order.shipment, images } };
}

async function storeImage(
  source: string,
  number: number,
  { file, imagePayload }: GoodOrder,
  { files, ...limits }: ImageLimits & { readonly files: FileStore },
): Promise<StoredImage> {
  if (!mayComeFrom(source, limits.from)) throw new Unusable(NOT_HTTPS.problem, NOT_HTTPS.remedy);
  const isAddress = /^(?:[a-z][a-z0-9+.-]+:\/\/|data:)/i.test(source);
  if (!isAddress && imagePayload === 'url') {
    throw new Unusable(
      `${path.basename(source)} is a file, but the account sends images by URL`,
      "give the image's public https URL, or set the account's imagePayload to multipart or base64",
    );
  }
  const folder = file === '-' ? process.cwd() : path.dirname(file);
  const bytes = isAddress
    ? await fetchImage(source, limits)
    : await readImage(folder, source, limits.maxBytes);
  const named = cleanFileName(isAddress ? nameOf(source) : path.basename(source));
  const name = named === '' ? `image-${number}` : named;
  const contentType = imageTypeOf(bytes, name);
  const picture = pictureOf(bytes, contentType, name);
  return {
    fileName: fileNameOf(name, contentType),
    ...{ contentType, sizeInBytes: picture.length, sha256: await files.put(picture) },
    ...(imagePayload === 'url' ? { url: source } : {}),
  };
}

async function readImage(folder: string, source: string, maxBytes: number): Promise<Uint8Array> {
  const file = path.resolve(folder, source);
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Unusable(`${source} is not a file`, 'name a JPEG or PNG file');
    if (found.size > maxBytes) throw tooLarge(source, found.size, maxBytes);
    return await readFile(file);
  } catch (error) {
    const code = errorCode(error);
    if (typeof code !== 'string') throw error;
    throw new Unusable(
      `${source} cannot be read (${code})`,
      "give a path that is relative to the order's file",
    );
  }
}

const REMEDIES: Readonly<Record<DownloadTrouble, string>> = {
  badAddress: 'give a path, or an https URL without user and password',
  status: 'give a URL that shows the image without a sign-in',
  tooLarge: 'make it smaller',
  noAnswer: 'check the URL and the network, or save the image and give its path',
};

async function fetchImage(source: string, { maxBytes, from }: ImageLimits): Promise<Uint8Array> {
  const plainHttp = from === 'https' ? 'nowhere' : 'thisMachine';
  try {
    return await download(source, { maxBytes, timeoutMs: FETCH_TIMEOUT_MS, plainHttp });
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new Unusable(`cannot be fetched: ${error.message}`, REMEDIES[error.trouble]);
  }
}

const inMegabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function tooLarge(source: string, size: number, maxBytes: number): Unusable {
  return new Unusable(
    `${source} is ${inMegabytes(size)}; the limit is ${inMegabytes(maxBytes)}`,
    'make it smaller, or raise CONSIGN_IMAGE_MAX_MB',
  );
}

function imageTypeOf(bytes: Uint8Array, name: string): TakenType {
  if (bytes.length === 0) throw new Unusable(`${name} is empty`, 'give a JPEG or PNG image');
  const type = typeOf(bytes);
  const taken = TAKEN.find((one) => one === type);
  if (taken !== undefined) return taken;
  if (type === 'text/html') {
    const remedy = 'give the URL of the image itself, not of a page that shows it';
    throw new Unusable(`${name} is a web page`, remedy);
  }
  const what = type === null ? 'is not a known image type' : `has type ${type}`;
  throw new Unusable(`${name} ${what}, judged by its content`, 'save it as JPEG or PNG');
}

/** Removes the metadata: carriers see the image, and must not learn from it where a person lives. */
function pictureOf(bytes: Uint8Array, type: TakenType, name: string): Uint8Array {
  try {
    return withoutMetadata(bytes, type);
  } catch (error) {
    if (!(error instanceof DamagedImageError)) throw error;
    const why = `${name} is damaged, and its location data cannot be removed: ${error.message}`;
    throw new Unusable(why, 'open it in an image editor and save it again');
  }
}

/** The last part of the URL's path; the query may be a signature, and is not part of the name. */
function nameOf(source: string): string {
  const last = new URL(source).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    // It is not encoded correctly: use it as it is.
    return last;
  }
}

/** With the extension of its real type, because receivers rely on it. */
function fileNameOf(name: string, type: KnownType): string {
  const extension = path.extname(name).toLowerCase();
  const right = EXTENSIONS[type];
  if (extension === `.${right}` || (extension === '.jpeg' && right === 'jpg')) return name;
  const isKnown = ['jpg', 'jpeg', ...Object.values(EXTENSIONS)].includes(extension.slice(1));
  return `${isKnown ? name.slice(0, -extension.length) : name}.${right}`;
}
