export * from './shipment-client';
export { readOrderFile } from './order-files';
export { storeImages } from './order-images';
export { createBucketStore, createFolderStore } from '../../platform/file-store';
export { loadAccounts } from '../../accounts';
export { connectTemporal } from '../../temporal/temporal-connection';
