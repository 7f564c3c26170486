/** Billing intervals and their labels. */
export const INTERVALS = [
  ['month', 'Monthly'],
  ['year', 'Yearly'],
  ['once', 'One-time'],
] as const;

/** Why a name cannot be a slug or tier; null if it can. The same as on the server. */
export const findSlugProblem = (text: string): string | null =>
  /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/.test(text)
    ? null
    : 'Use lower-case letters and digits, with single hyphens or underscores between them.';
