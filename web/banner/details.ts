import type { Preferences, PreferencesOptions } from './preferences.ts';
import { ask } from './wire.ts';

/** What only some visitors need. The banner loads it when they do. */
export { deleteVendorData } from './cookies.ts';
export { showPlaceholder } from './placeholder.ts';

/** The address of the preferences, relative to this file. It changes with their content. */
const PREFERENCES = 'banner.preferences.js?v=#preferences-hash';
const file = import.meta.url;
let attempts = 0;

/** Loads the preferences and the vendors. @returns undefined if the server cannot be reached */
export const createPreferences = async (
  root: ShadowRoot,
  options: Omit<PreferencesOptions, 'texts' | 'vendors'>,
): Promise<Preferences | undefined> => {
  const { consent, restRoot } = options;
  const texts = await consent.texts();
  if (!texts) return undefined;
  const vendors: PreferencesOptions['vendors'] = ask(
    `${restRoot}/svc/v1/consent/vendors?language=${texts.language}`,
  );
  // Browsers do not request an address again that has failed.
  return import(/* @vite-ignore */ new URL(`${PREFERENCES}&${attempts++}`, file).href).then(
    (loaded: typeof import('./preferences.ts')) =>
      loaded.createPreferences(root, { ...options, texts, vendors }),
    () => undefined,
  );
};
