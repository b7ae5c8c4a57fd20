import type { Accounts } from '../../accounts';
import type { Problem } from '../../orders/problem';
import type { FileStore } from '../../platform/file-store';
import { InvalidOrderError } from './errors';
import { validate, type OrderInput } from './order-files';
import { storeImages, type ImageOrigin } from './order-images';
import type { StartableOrder } from './start-order';

/** What an order is checked against, and where its images go. */
export interface OrderSetting {
  readonly accounts: Accounts;
  /** The store that workers read too. */
  readonly files: FileStore;
  /** Of one image; 10 MiB by default. */
  readonly maxImageBytes?: number | undefined;
  /**
   * Where images may come from; `anywhere` by default. Choose `https` for documents of outside callers: they must not
   * read files of this machine, nor what only it can reach by http.
   */
  readonly imagesFrom?: ImageOrigin | undefined;
}

/** A valid order whose images are stored: `start` and `revise` take it. */
export interface PreparedOrder extends StartableOrder {
  readonly warnings: readonly Problem[];
}

/** Checks an order and stores its images. @throws InvalidOrderError with every problem */
export async function prepareOrder(
  input: OrderInput,
  { accounts, files, maxImageBytes, imagesFrom }: OrderSetting,
): Promise<PreparedOrder> {
  const read = await validate(input, accounts);
  if (!read.ok) throw new InvalidOrderError(read.file, read.problems, read.warnings);
  const order = await storeImages(read, files, { maxBytes: maxImageBytes, from: imagesFrom });
  return { ...order, warnings: read.warnings };
}
