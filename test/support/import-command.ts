import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { loadAccounts } from '../../src/accounts';
import { createFolderStore } from '../../src/platform/file-store';
import type { CliContext } from '../../src/starter/cli/context';
import { importCommand } from '../../src/starter/cli/syntax/place-orders';
import { ShipmentClient } from '../../src/starter/client/shipment-client';

export const EXAMPLES = path.join(__dirname, '..', '..', 'examples');
export const exampleAccounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
const TILES = JSON.parse(readFileSync(path.join(EXAMPLES, 'ltl-tiles.json'), 'utf8')) as object;

/** One line of a file of orders. */
export const tiles = (over: object): string => `${JSON.stringify({ ...TILES, ...over })}\n`;

/** What `consign import` printed, and how it ended. */
export interface Imported {
  readonly out: string;
  readonly err: string;
  readonly code: unknown;
  readonly progress: readonly (string | null)[];
  readonly error: unknown;
}

/** Runs `consign import` in this process. @param folder of the images that it stores */
export async function runImport(client: Client, folder: string, args: readonly string[]): Promise<Imported> {
  const [out, err, progress]: [string[], string[], (string | null)[]] = [[], [], []];
  const context: CliContext = {
    print: (text) => void out.push(text),
    printContent: (text) => void out.push(text),
    warn: (text) => void err.push(text),
    progress: (text) => void progress.push(text),
    accounts: async () => await Promise.resolve(exampleAccounts),
    files: async () => await Promise.resolve(createFolderStore(path.join(folder, 'store'))),
    maxImageBytes: async () => await Promise.resolve(1_000_000),
    withShipments: async (use) => await use(new ShipmentClient(client), client),
    orderOf: async () => await Promise.reject(new TypeError('an import names no order')),
  };
  const command = importCommand(context)
    .exitOverride()
    .configureOutput({ writeErr: (text) => void err.push(text) });
  const error = await command.parseAsync(args, { from: 'user' }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { exitCode } = process;
  process.exitCode = undefined;
  return { out: out.join('\n'), err: err.join('\n'), code: exitCode, progress, error };
}

const HEADER =
  'kind,account,orderId,pickup.on,origin.location,destination.location,items.1.commodity,items.1.handlingUnit,items.1.freightClass,items.1.quantity';
const good = (orderId: string, quantity = '1'): string =>
  `ltl,acme,${orderId},2035-06-13,reno-warehouse,dallas-dc,NewCommercialGoods,Crates,92.5,${quantity}`;

/** Rows that no other stops; the second and the third are wrong in two ways each. */
export const MIXED = {
  header: HEADER,
  text: [
    HEADER,
    good('C-1'),
    'ltl,acme,C-2,2020-06-12,reno-warehouse,dallas-dc,NewCommercialGoods,Crates,92.5,"1,5"',
    '"ltl",acme,,2035-06-13,reno-warehouse,dallas-dc,Nonsense,Crates,92.5,1',
    good('C-4'),
    good('C-4', '2'),
    '',
  ].join('\n'),
};
