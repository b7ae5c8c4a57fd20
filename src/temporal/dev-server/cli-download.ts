import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { download, type DownloadOptions } from '../../platform/download/download';
import type { Environment } from './supervise';
import { CLI_SHA256, CLI_VERSION, putIntoCache } from './cli-cache';

interface CliDownload {
  /** Where the Temporal SDKs ask for the archive of a release (core: ephemeral_server). */
  readonly service?: string;
  readonly plainHttp?: DownloadOptions['plainHttp'];
  readonly sha256?: string | null;
}

const MB = 1024 * 1024;
/** A few times the size of the release: 46 MB, and 161 MB unpacked. */
const LIMITS = { answer: MB, archive: 150 * MB, program: 500 * MB };
/** A machine that cannot reach the service should notice it quickly and try the next source. */
const ANSWER_TIMEOUT_MS = 2_000;
const ARCHIVE_TIMEOUT_MS = 5 * 60_000;

const answerSchema = z.looseObject({ archiveUrl: z.url() });

/**
 * Downloads the release as the SDK does. The SDK's own function cannot be used: it runs the download without checking it,
 * belongs to the testing package, and waits for ever when a network drops packets.
 */
export async function downloadCli(
  env: Environment,
  { service = 'https://temporal.download', plainHttp = 'nowhere', sha256 = CLI_SHA256 }: CliDownload = {},
): Promise<string> {
  return await putIntoCache(env, sha256, async (folder) => {
    const answer = await download(askFor(service), {
      ...{ plainHttp, maxBytes: LIMITS.answer, timeoutMs: ANSWER_TIMEOUT_MS },
    });
    const { archiveUrl } = answerSchema.parse(JSON.parse(Buffer.from(answer).toString()));
    const archive = await download(archiveUrl, {
      ...{ plainHttp, maxBytes: LIMITS.archive, timeoutMs: ARCHIVE_TIMEOUT_MS },
    });
    const binary = path.join(folder, 'temporal');
    await writeFile(binary, await programIn(archive, env));
    return binary;
  });
}

function askFor(service: string): string {
  const query = new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform: process.platform,
    format: 'tar.gz',
  });
  return `${service}/cli/v${CLI_VERSION}?${query.toString()}`;
}

/** Through pipes: it unpacks only the program, and no more of it than the limit. */
async function programIn(archive: Uint8Array, env: Environment): Promise<Uint8Array> {
  const unpacking = promisify(execFile)('tar', ['-xzOf', '-', 'temporal'], {
    ...{ env, encoding: 'buffer', maxBuffer: LIMITS.program },
  });
  // A tar that ends early says so by its exit, too.
  unpacking.child.stdin?.on('error', () => undefined).end(archive);
  return (await unpacking).stdout;
}
