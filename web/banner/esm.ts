import { type BannerOptions, type Pavis, startBanner as start } from './banner.ts';

export type { BannerOptions, Pavis } from './banner.ts';
export { createConsent } from './headless.ts';

/** Starts the banner. The default REST root is that of the server of this file. */
export const startBanner = (options: BannerOptions = {}): Pavis => start(import.meta.url, options);
