import { type Consent, type ConsentOptions, createConsent as create } from './consent.ts';
import { restRootOf } from './rest-root.ts';

export type { Consent, ConsentListener, ConsentOptions, ConsentState } from './consent.ts';

/** What a visitor consents to, for a face of your own. */
export const createConsent = (options: Partial<ConsentOptions> = {}): Consent =>
  create({ ...options, restRoot: restRootOf(options.restRoot, import.meta.url) });
