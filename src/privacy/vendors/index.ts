export { takeExtensionVendors } from './from-extensions.ts';
export { vendorRoutes } from './routes.ts';
export { addBuiltinVendor, seedLibrary } from './service.ts';
export { lockVendor } from './store.ts';
