import { type BannerOptions, type Pavis, startBanner as start } from './banner.ts';
import { toRestRoot } from './rest-root.ts';

export type { BannerOptions, Pavis } from './banner.ts';
export { createConsent } from './headless.ts';

/** Starts the banner. The default REST root is that of the server of this file. */
export const startBanner = (options: Partial<BannerOptions> = {}): Pavis => {
  const { url } = import.meta;
  const { restRoot } = options;
  return start({
    ...options,
    restRoot: toRestRoot(restRoot, url),
    file: url,
    isForeign: !!restRoot,
  });
};
