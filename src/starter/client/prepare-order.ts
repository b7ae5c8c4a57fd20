import type { Accounts } from '../../accounts';
import type { Problem } from '../../orders/problem';
import type { FileStore } from '../../platform/file-store';
import { InvalidOrderError } from './errors';
import { validate, type OrderInput } from './order-files';
import { storeImages } from './order-images';
import type { StartableOrder } from './start-order';

/** What an order is checked against, and where its images go. */
export interface OrderSetting {
  readonly accounts: Accounts;
  /** The store that workers read too. */
  readonly files: FileStore;
  /** Of one image; 10 MiB by default. */
  readonly maxImageBytes?: number | undefined;
}

/** A valid order whose images are stored: `start` and `revise` take it. */
export interface PreparedOrder extends StartableOrder {
  readonly warnings: readonly Problem[];
}

/** Checks an order and stores its images. @throws InvalidOrderError with every problem */
export async function prepareOrder(
  input: OrderInput,
  { accounts, files, maxImageBytes }: OrderSetting,
): Promise<PreparedOrder> {
  const read = await validate(input, accounts);
  if (!read.ok) throw new InvalidOrderError(read.file, read.problems, read.warnings);
  const order = await storeImages(read, files, { maxBytes: maxImageBytes });
  return { ...order, warnings: read.warnings };
}
