export { BACKUPS, DraftRemover } from './draft-remover.ts';
export { formatSize } from './messages.ts';
export { findStorageAlerts, type StorageAlert } from './rules.ts';
export { readStorage, StorageWatch } from './watch.ts';
