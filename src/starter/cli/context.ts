import type { Client } from '@temporalio/client';
import type { Accounts } from '../../accounts';
import type { OrderKey } from '../../domain/workflow-id';
import type { FileStore } from '../../platform/file-store';
import type { ShipmentClient } from '../client/shipment-client';

/** What the commands of the command line work with. Each part is loaded and opened only when a command needs it. */
export interface CliContext {
  print(text: string): void;
  /** Prints a document. A pipe receives it unchanged, because another program may read it. */
  printContent(text: string): void;
  warn(text: string): void;
  /** Shows one line that the next text or progress replaces, on a terminal only; null removes it. */
  progress(text: string | null): void;
  accounts(): Promise<Accounts>;
  files(): Promise<FileStore>;
  /** Of one image of an order. */
  maxImageBytes(): Promise<number>;
  withShipments<T>(use: (shipments: ShipmentClient, client: Client) => Promise<T>): Promise<T>;
  /** Reads `<account>/<orderId>`, or the order id alone where there is one account. */
  orderOf(text: string): Promise<OrderKey>;
}
