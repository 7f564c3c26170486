import { type Consent, type ConsentOptions, createConsent as create } from './consent.ts';
import { toRestRoot } from './rest-root.ts';

export type { Consent, ConsentListener, ConsentOptions, ConsentState } from './consent.ts';

/** Consent for your own user interface. */
export const createConsent = (options: Partial<ConsentOptions> = {}): Consent =>
  create({ ...options, restRoot: toRestRoot(options.restRoot, import.meta.url) });
