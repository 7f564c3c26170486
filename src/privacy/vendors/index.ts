export { registerExtensionVendors } from './from-extensions.ts';
export { toHosts } from './host.ts';
export { type KnownVendor, listKnownVendors } from './known.ts';
export { listEmbeds } from './library.ts';
export { createVendorIndex } from './match.ts';
export { NamePatterns } from './name-patterns.ts';
export { createOwnPathFinder } from './own-paths.ts';
export { isPlatformCookie } from './platform-cookies.ts';
export { isFormServiceUrl, isPixelUrl } from './resources.ts';
export { vendorRoutes } from './routes.ts';
export { createVendorFinder } from './search-vendor.ts';
export {
  addBuiltinVendor,
  addVendors,
  listVendorCookieNames,
  seedLibrary,
  VENDORS_CHANGED,
} from './service.ts';
export { lockVendor, lockVendorsBySlug } from './store.ts';
export { findUsualLifetime } from './usual-lifetime.ts';
