import type { Script } from '../../api/types.ts';

/** How the banner can hold back what is of a type of finding; the rest goes with what brought it. */
export const GATES: Partial<Record<string, Script['blocking_method']>> = {
  script: 'type_attribute',
  gtm_tag: 'type_attribute',
  iframe: 'iframe_placeholder',
  pixel: 'data_src',
};
