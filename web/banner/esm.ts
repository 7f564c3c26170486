import { type BannerOptions, type Pavis, startBanner as start } from './banner.ts';
import { restRootOf } from './rest-root.ts';

export type { BannerOptions, Pavis } from './banner.ts';
export { createConsent } from './headless.ts';

/** Starts the banner; the REST root is that of the server that this file came from unless given. */
export const startBanner = (options: Partial<BannerOptions> = {}): Pavis =>
  start({ ...options, restRoot: restRootOf(options.restRoot, import.meta.url) });
