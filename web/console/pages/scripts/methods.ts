import type { Script } from '../../api/types.ts';

/** What holds a script back, in short, and how. */
export const METHODS = {
  type_attribute: ['Its type', 'a script element that says text/plain'],
  data_src: ['Its address', 'kept in data-src until then'],
  iframe_placeholder: ['A placeholder', 'stands in for embedded content'],
  dynamic_load: ['The banner', 'loads it by itself'],
} as const satisfies Record<Script['blocking_method'], readonly [string, string]>;

export const isMethod = (name: string | undefined): name is Script['blocking_method'] =>
  name !== undefined && Object.hasOwn(METHODS, name);
