/** Types of findings that the banner can hold back. */
export const GATED: readonly string[] = ['script', 'iframe', 'pixel', 'gtm_tag'];
