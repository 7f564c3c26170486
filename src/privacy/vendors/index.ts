export { takeExtensionVendors } from './from-extensions.ts';
export { type KnownVendor, knownVendors } from './known.ts';
export { createVendorIndex, type VendorIndex } from './match.ts';
export { createOwnPathFinder } from './own-paths.ts';
export { platformCookie } from './platform-cookies.ts';
export { isFormServiceUrl, isPixelUrl } from './resources.ts';
export { vendorRoutes } from './routes.ts';
export { addBuiltinVendor, addVendors, seedLibrary } from './service.ts';
export { lockVendor, lockVendorsBySlug } from './store.ts';
