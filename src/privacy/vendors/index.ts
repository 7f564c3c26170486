export { takeExtensionVendors } from './from-extensions.ts';
export { vendorRoutes } from './routes.ts';
export { addBuiltinVendor, addVendors, seedLibrary } from './service.ts';
export { lockVendor } from './store.ts';
