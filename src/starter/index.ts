export * from './shipment-client';
export { readOrderFile, storeImages } from './order-files';
export { createBucketStore, createFolderStore } from '../file-store';
export { loadAccounts } from '../accounts';
export { connectTemporal } from '../temporal-connection';
