export { findStorageAlerts } from './rules.ts';
export { formatSize } from './texts.ts';
export { readStorage, StorageWatch } from './watch.ts';
