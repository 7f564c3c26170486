import { type ConsentOptions, createConsent as create } from './consent.ts';
import type { Consent } from './model.ts';
import { toRestRoot } from './rest-root.ts';
import type { Served } from './served.ts';

export type { ConsentOptions } from './consent.ts';
export type { Consent, ConsentListener, ConsentState } from './model.ts';

interface HeadlessOptions extends Partial<ConsentOptions> {
  /** To share choices between devices: what `banner.sharing.js` exports. */
  parts?: Pick<Served['parts'], 'startSharing'>;
}

/** Consent for your own user interface. */
export const createConsent = (options: HeadlessOptions = {}): Consent =>
  create({ ...options, restRoot: toRestRoot(options.restRoot, import.meta.url) }, options);
