/** Codes that mean the same on every route, with a message as an example. */
const COMMON = {
  not_found: 'The record was not found.',
  rate_limited: 'Too many requests. Try again in 60 s.',
  rest_forbidden: 'Sorry, you are not allowed to do that.',
  rest_forbidden_origin: 'Pages of https://other.example are not allowed to send this request.',
  rest_precondition_failed:
    'The record was changed after you read it. Read it again and send your changes with its new ETag.',
} as const;

/** What a route answers with one error status: a common code, or its own codes with their messages, as examples. */
export type Refusal = keyof typeof COMMON | Readonly<Record<string, string | readonly string[]>>;

type Code = [code: string, message: string, meaning: string];

/** The codes of a refusal in order, each with its first message as an example and with all of them. */
export const listCodes = (refusal: Refusal): [Code, ...Code[]] =>
  typeof refusal === 'string'
    ? [[refusal, COMMON[refusal], COMMON[refusal]]]
    : (Object.entries(refusal).map(([code, messages]) => {
        const all = [messages].flat();
        return [code, all[0], all.join(' ')];
      }) as [Code, ...Code[]]);
