/**
 * Marks a required field of a form with errors of its own. Not with `required`: Firefox tells screen readers that such a
 * field is invalid before anything was entered.
 */
export const REQUIRED = { withAsterisk: true, 'aria-required': true } as const;
