import { type ConsentOptions, createConsent as create } from './consent.ts';
import type { Consent } from './model.ts';
import { toRestRoot } from './rest-root.ts';

export type { ConsentOptions } from './consent.ts';
export type { Consent, ConsentListener, ConsentState } from './model.ts';

/** Consent for your own user interface. */
export const createConsent = (options: Partial<ConsentOptions> = {}): Consent =>
  create({ ...options, restRoot: toRestRoot(options.restRoot, import.meta.url) });
