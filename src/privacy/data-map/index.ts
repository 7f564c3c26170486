export { listProcessing } from './overview.ts';
export { seedOwnProcessing } from './own-processing/service.ts';
export { dataMapRoutes } from './routes.ts';
export { describeVendorUse } from './service.ts';
export { listActiveVendorIds, readAskedOfVisitors } from './store.ts';
