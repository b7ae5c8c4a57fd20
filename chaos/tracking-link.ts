import { request } from 'undici';

/** Whether a page of the marketplace's website opens without signing in, as for the consignee. */
export async function opens(url: string): Promise<boolean> {
  // A request may meet a fault, but no more than two in a row.
  for (let tries = 0; tries < 3; tries += 1) {
    const page = await request(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await page?.body.dump();
    if (page?.statusCode === 200) return true;
  }
  return false;
}
