import type { Accounts } from '../../accounts';
import type { OrderKey } from '../../domain/workflow-id';
import type { Problem } from '../../orders/problem';
import type { FileStore } from '../../platform/file-store';
import { InvalidOrderError } from '../client/errors';
import { validate, type GoodOrder, type ReadOrder } from '../client/order-files';
import { keepImagesFrom } from '../client/order-images';
import { prepareOrder, type PreparedOrder } from '../client/prepare-order';
import type { StartableOrder } from '../client/start-order';
import { ApiError } from './api-error';
import { refuseForeignAccount, type Caller } from './authorize';
import { withoutPeople } from './without-people';

/** An order document in the body of a request. */
export interface SentOrder {
  readonly document: unknown;
  readonly caller: Caller;
  /** Where the document is in the body; `$` when it is the body. */
  readonly root?: string;
  /** The order that the path names; the document must be of that order. */
  readonly named?: OrderKey;
  /** The order as it is, which keeps its policy and its images where the document names none. */
  readonly kept?: Pick<StartableOrder, 'shipment' | 'policy'> | undefined;
}

/** What orders are checked against. */
export interface OrderContext {
  readonly accounts: Accounts;
  readonly files: FileStore;
  readonly maxImageBytes?: number | undefined;
}

/** The accounts as a caller may see them: an error must not name another one. */
export const accountsOf = (accounts: Accounts, caller: Caller): Accounts => ({
  ...accounts,
  names: () => accounts.names().filter((name) => caller.accounts.includes(name)),
  orderAccountOf: (name) => (caller.accounts.includes(name) ? accounts.orderAccountOf(name) : null),
});

/** The accounts by which the order of a request is read. */
const accountsOfSent = (
  accounts: Accounts,
  { caller, kept }: Pick<SentOrder, 'caller' | 'kept'>,
): Accounts => {
  const own = accountsOf(accounts, caller);
  if (kept === undefined) return own;
  const { policy } = kept;
  return {
    ...own,
    orderAccountOf(name) {
      const account = own.orderAccountOf(name);
      return account === null ? null : { ...account, policy };
    },
  };
};

/** @throws ApiError with 403 when the document is for an account that the token is not for */
function refuseForeignDocument({ document, caller }: Pick<SentOrder, 'document' | 'caller'>): void {
  if (typeof document === 'object' && document !== null && 'account' in document)
    if (typeof document.account === 'string') refuseForeignAccount(caller, document.account.trim());
}

/** An outside caller must not make this machine read its own files as images. */
const IMAGES_FROM = 'https';

/** Every problem of the order of a request. @throws ApiError when the token is not for its account */
export async function readSentOrder(sent: SentOrder, { accounts }: OrderContext): Promise<ReadOrder> {
  refuseForeignDocument(sent);
  const { document } = sent;
  return keepImagesFrom(IMAGES_FROM, await validate({ document }, accountsOfSent(accounts, sent)));
}

/** Checks the order of a request. @throws ApiError with every problem at once */
export async function checkOrder(sent: SentOrder, context: OrderContext): Promise<GoodOrder> {
  const { named } = sent;
  const read = await readSentOrder(sent, context);
  if (!read.ok) throw invalidOrder(sent, read.problems);
  if (named !== undefined) refuseOtherOrder(sent, read, named);
  return read;
}

/** Checks the order of a request and stores its images, which only come from https. @throws ApiError */
export async function prepareSentOrder(sent: SentOrder, context: OrderContext): Promise<PreparedOrder> {
  await checkOrder(sent, context);
  const { files, maxImageBytes } = context;
  const accounts = accountsOfSent(context.accounts, sent);
  try {
    const prepared = await prepareOrder(
      { document: sent.document },
      { accounts, files, maxImageBytes, imagesFrom: IMAGES_FROM },
    );
    return withKeptImages(prepared, sent.kept);
  } catch (error) {
    if (!(error instanceof InvalidOrderError)) throw error;
    throw invalidOrder(sent, error.problems);
  }
}

function withKeptImages(prepared: PreparedOrder, kept: SentOrder['kept']): PreparedOrder {
  const { shipment } = prepared;
  if (kept?.shipment.kind !== 'furniture' || shipment.kind !== 'furniture') return prepared;
  if (shipment.images.length > 0) return prepared;
  return { ...prepared, shipment: { ...shipment, images: kept.shipment.images } };
}

function refuseOtherOrder(
  { root = '$' }: SentOrder,
  { order: { shipment } }: GoodOrder,
  named: OrderKey,
): void {
  const errors = (['account', 'orderId'] as const)
    .filter((field) => shipment[field] !== named[field])
    .map((field) => ({
      path: `${root}.${field}`,
      problem: 'is not what the path names',
      remedy: `use ${named[field]}, or send the request to the path of the order`,
    }));
  if (errors.length > 0)
    throw new ApiError(
      'idMismatch',
      'The path names another order than the body. Nothing was started.',
      errors,
    );
}

function invalidOrder({ document, root = '$' }: SentOrder, problems: readonly Problem[]): ApiError {
  const errors = withoutPeople(document, problems).map(({ path, problem, remedy }) => ({
    ...{ path: path.replace(/^\$/, root), problem, remedy },
  }));
  const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
  return new ApiError('invalidOrder', `The order has ${count}. Nothing was started.`, errors);
}
