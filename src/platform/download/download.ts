import { request, type Dispatcher } from 'undici';
import { decodeContent } from '../network/content-coding';
import { createDispatcher, proxyTrouble } from '../network/dispatcher';
import { proxySettings } from '../network/proxy-settings';
import { errorCode } from '../error-code';
import { guardedLookup, isLinkLocal, isLinkLocalName } from './link-local';

export interface DownloadOptions {
  /** A longer file is refused. */
  readonly maxBytes: number;
  /** From the first connection to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Where http is allowed; elsewhere only https. */
  readonly plainHttp: 'nowhere' | 'thisMachine' | 'anywhere';
}

export type DownloadTrouble =
  /** The URL is not allowed; nothing was sent. */
  | 'badAddress'
  /** The host answered with a status other than 200. */
  | 'status'
  | 'tooLarge'
  /** No complete answer arrived. */
  | 'noAnswer';

/** Thrown when nothing could be fetched. It names only the host, because path and query of a signed URL are secret. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  constructor(
    message: string,
    readonly trouble: DownloadTrouble,
    /** Null when there was no answer. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Fetches a file from a foreign host: no credentials are sent, redirects may not leave https, and link-local addresses
 * (where clouds keep the keys of a machine) are refused.
 * @throws DownloadError
 */
export async function download(address: string, options: DownloadOptions): Promise<Uint8Array> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
  const dispatcher = createDispatcher({ lookup: guardedLookup });
  let url = checkedUrl(address, null, options);
  try {
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      await refuseHiddenLinkLocal(url, signal);
      const response = await send(url, dispatcher, signal);
      if (!REDIRECTS.has(response.statusCode)) return await bytesOf(response, url, options.maxBytes);
      const { location } = response.headers;
      await response.body.dump();
      url = checkedUrl(typeof location === 'string' ? location : '', url, options);
    }
    throw new DownloadError(`${url.host} redirects too often`, 'badAddress');
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    if (deadline.aborted)
      throw new DownloadError(
        `${url.host} sent no complete answer within ${options.timeoutMs} ms`,
        'noAnswer',
      );
    const why = proxyTrouble(error) ?? errorCode(error);
    throw new DownloadError(
      `${url.host} cannot be reached${typeof why === 'string' ? ` (${why})` : ''}`,
      'noAnswer',
    );
  } finally {
    await dispatcher.destroy();
  }
}

function checkedUrl(address: string, before: URL | null, { plainHttp }: DownloadOptions): URL {
  const bad = (why: string): DownloadError => new DownloadError(why, 'badAddress');
  const base = before?.href;
  if (!URL.canParse(address, base)) throw bad('the URL is invalid');
  const url = new URL(address, base);
  const mayBePlain =
    plainHttp === 'anywhere' || (plainHttp === 'thisMachine' && THIS_MACHINE.has(url.hostname));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw bad(`${url.host === '' ? 'the URL' : url.host} does not use https`);
  if (url.protocol === 'http:' && before?.protocol === 'https:')
    throw bad(`${before.host} redirects from https to http`);
  if (url.username !== '' || url.password !== '') throw bad('the URL must not contain a user or password');
  if (isLinkLocal(url.hostname.replace(/^\[|\]$/g, ''))) throw bad(`${url.host} is a link-local address`);
  return url;
}

/**
 * A proxy resolves names itself, without the check of direct connections, so each name is resolved here too. A name that
 * only the proxy can resolve is left to the proxy.
 */
async function refuseHiddenLinkLocal({ host, hostname }: URL, signal: AbortSignal): Promise<void> {
  const { httpProxy, httpsProxy } = proxySettings(process.env);
  if (httpProxy === '' && httpsProxy === '') return;
  // A name resolution cannot be aborted; the next step ends at once after the time limit.
  const isOver = new Promise<false>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  if (await Promise.race([isLinkLocalName(hostname.replace(/^\[|\]$/g, '')), isOver]))
    throw new DownloadError(`${host} resolves to a link-local address`, 'badAddress');
}

async function send(url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  // No compression: the bytes of the file itself are stored and hashed.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'consign' };
  return await request(url, { dispatcher, signal, headers });
}

async function bytesOf(response: Dispatcher.ResponseData, url: URL, maxBytes: number): Promise<Uint8Array> {
  const { statusCode, headers, body } = response;
  if (statusCode !== 200) {
    throw new DownloadError(`${url.host} answered ${statusCode}`, 'status', statusCode);
  }
  const tooLarge = new DownloadError(`${url.host} sends more than ${maxBytes} bytes`, 'tooLarge');
  if (Number(headers['content-length']) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  // A store sends a file that was uploaded compressed as it is, whatever the request accepts.
  const encodings = [headers['content-encoding'] ?? []].flat();
  const decoded = await decodeContent(Buffer.concat(chunks), encodings, maxBytes);
  if (decoded.kind === 'tooLarge') throw tooLarge;
  if (decoded.kind === 'decoded') return decoded.bytes;
  throw new DownloadError(
    `${url.host} sends content that cannot be decoded as ${decoded.encoding}`,
    'noAnswer',
  );
}
