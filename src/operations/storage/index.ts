export { formatSize } from './messages.ts';
export { findStorageAlerts } from './rules.ts';
export { readStorage, StorageWatch } from './watch.ts';
