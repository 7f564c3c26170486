export { listProcessing } from './overview.ts';
export { seedOwnProcessing } from './own-processing/service.ts';
export { updateSharedChoicesEntry } from './own-processing/shared-choices.ts';
export { dataMapRoutes } from './routes.ts';
export { LEGAL_BASES, type LegalBasis } from './rules.ts';
export { describeVendorUse } from './service.ts';
export { type Entry, listActiveVendorIds, listAllEntries, readAskedOfVisitors } from './store.ts';
