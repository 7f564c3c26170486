/** What only some visitors need. The banner loads it when they do. */
export { deleteVendorData } from './cookies.ts';
export { showPlaceholder } from './placeholder.ts';
export { createPreferences } from './preferences.ts';
