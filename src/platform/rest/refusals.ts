/** Codes that mean the same on every route, with a message as an example. */
const COMMON = {
  not_found: 'The record was not found.',
  rate_limited: 'Too many requests. Try again in 60 s.',
  rest_forbidden: 'Sorry, you are not allowed to do that.',
  rest_forbidden_origin: 'Pages of https://other.example are not allowed to send this request.',
  rest_precondition_failed:
    'The record was changed after you read it. Read it again and send your changes with its new ETag.',
} as const;

/** What a route answers with one error status: a common code, or its own codes with a message each, as an example. */
export type Refusal = keyof typeof COMMON | Readonly<Record<string, string>>;

/** The codes of a refusal with their messages, in order. */
export const listCodes = (
  refusal: Refusal,
): [[code: string, message: string], ...[string, string][]] =>
  typeof refusal === 'string'
    ? [[refusal, COMMON[refusal]]]
    : (Object.entries(refusal) as [[string, string], ...[string, string][]]);
