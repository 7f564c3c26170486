import { VALIDATION_STATES } from '../rules.ts';

/** Results of requests to validate. `unknown_key`: answered with 404. */
export const COUNTED_RESULTS = [...VALIDATION_STATES, 'unknown_key'] as const;
export type CountedResult = (typeof COUNTED_RESULTS)[number];
