export { processingOverview } from './overview.ts';
export { seedOwnProcessing } from './own-processing.ts';
export { dataMapRoutes } from './routes.ts';
export { vendorInDataMap } from './service.ts';
export { activeVendors, readAskedOfVisitors } from './store.ts';
