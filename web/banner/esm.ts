import { type BannerOptions, type Pavis, startBanner as start } from './banner.ts';
import { toRestRoot } from './rest-root.ts';

export type { BannerOptions, Pavis } from './banner.ts';
export { createConsent } from './headless.ts';

/** Starts the banner. The default REST root is that of the server of this file. */
export const startBanner = (options: Partial<BannerOptions> = {}): Pavis =>
  start({ ...options, restRoot: toRestRoot(options.restRoot, import.meta.url) });
