import type { Script } from '../../api/types.ts';

/** The blocking methods with a short name and an explanation. */
export const METHODS = {
  type_attribute: ['type="text/plain"', 'the tag of the script is inert until consent'],
  data_src: ['data-src', 'the URL is set after consent'],
  iframe_placeholder: ['Iframe placeholder', 'a placeholder is shown until consent'],
  dynamic_load: ['Loaded by the banner', 'the page needs no tag'],
} as const satisfies Record<Script['blocking_method'], readonly [string, string]>;

export const isMethod = (name: string | undefined): name is Script['blocking_method'] =>
  name !== undefined && Object.hasOwn(METHODS, name);
