import { useState } from 'react';

/**
 * Marks a required field of a form with errors of its own. Not with `required`: Firefox tells screen readers that such a
 * field is invalid before anything was entered.
 */
export const REQUIRED = { withAsterisk: true, 'aria-required': true } as const;

/** The errors of required fields that were empty when their form was sent. */
export function useMissing() {
  const [isShown, setShown] = useState(false);
  return {
    getError: (value: string, error: string) => isShown && !value.trim() && error,
    /** Shows the errors, if a value is missing. */
    isMissing(...values: string[]): boolean {
      const isMissing = values.some((value) => !value.trim());
      setShown(isMissing);
      return isMissing;
    },
  };
}
