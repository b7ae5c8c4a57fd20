import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { z } from 'zod';
import { describeExit, startProcess, type Environment } from '../processes/supervise';
import { CLI_VERSION, putIntoCache } from './cli-cache';

/** Where the Temporal SDKs ask for the archive of a release (core: ephemeral_server). */
export const DOWNLOAD_SERVICE = 'https://temporal.download';
/** A machine that cannot reach the service should notice at once and go on to the next source. */
const ANSWER_TIMEOUT_MS = 2_000;
const STALL_TIMEOUT_MS = 10_000;

const answerSchema = z.looseObject({ archiveUrl: z.url() });

/**
 * Downloads the release as the SDK does. The SDK's own function cannot be used: it also starts the server,
 * comes with the testing package, and waits without limit for a network that swallows packets.
 */
export async function downloadCli(env: Environment, service = DOWNLOAD_SERVICE): Promise<string> {
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY,
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
    noProxy: env.no_proxy ?? env.NO_PROXY,
    connect: { timeout: ANSWER_TIMEOUT_MS },
    bodyTimeout: STALL_TIMEOUT_MS,
  });
  try {
    const question = await get(askFor(service), {
      dispatcher,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const { archiveUrl } = answerSchema.parse(await question.json());
    return await putIntoCache(env, async (folder) => {
      const archive = path.join(folder, 'archive.tar.gz');
      const { body } = await get(archiveUrl, { dispatcher });
      if (body === null) throw new Error(`${archiveUrl} answered without a body`);
      await pipeline(Readable.fromWeb(body), createWriteStream(archive));
      await unpack(archive, folder, env);
      return path.join(folder, 'temporal');
    });
  } finally {
    await dispatcher.destroy();
  }
}

function askFor(service: string): string {
  const query = new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform: process.platform,
    format: 'tar.gz',
  });
  return `${service}/cli/v${CLI_VERSION}?${query.toString()}`;
}

async function get(
  url: string,
  init: { readonly dispatcher: EnvHttpProxyAgent; readonly signal?: AbortSignal },
): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

async function unpack(archive: string, folder: string, env: Environment): Promise<void> {
  const tar = await startProcess({
    name: 'tar',
    command: 'tar',
    args: ['-xzf', archive, '-C', folder, 'temporal'],
    env,
  });
  const exit = await tar.exited;
  if (exit.code !== 0) throw new Error(describeExit('tar', exit));
}
