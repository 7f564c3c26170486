import type { RestRoute } from './route.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** For `components/headers`. */
export const HEADERS = {
  Allow: {
    description: 'The methods of the path that the caller may use. Absent if there is none.',
    schema: text,
  },
  Link: {
    description:
      'The REST root, as `rel="https://api.w.org/"`. On lists also the previous and the next page, as `rel="prev"` and `rel="next"`.',
    schema: text,
  },
  'X-WP-Total': { description: 'The number of items in all pages.', schema: count },
  'X-WP-TotalPages': { description: 'The number of pages.', schema: count },
  'X-WP-Nonce': {
    description: 'A fresh nonce. Sent to callers with a session cookie and a valid nonce.',
    schema: text,
  },
  ETag: {
    description: 'Names this version of the response, for `If-None-Match` or `If-Match`.',
    schema: text,
  },
  Location: {
    description: 'The address of the new item.',
    schema: { type: 'string', format: 'uri' },
  },
  'Content-Disposition': { description: 'A file name for the download.', schema: text },
  'Set-Cookie': {
    description:
      'The choice as a first-party cookie. Sent if the site and the API share an origin.',
    schema: text,
  },
} as const;

export function describeHeaders(route: RestRoute, status: number): string[] {
  const { args, answers, texts = [], answerHeaders = [] } = route;
  const isSuccess = status < 300;
  const isList = route.method === 'GET' && 'per_page' in (args?.properties ?? {});
  const type = (answers[status] as { contentMediaType?: string } | null)?.contentMediaType;
  return [
    'X-Request-Id',
    'Allow',
    'Link',
    ...(isSuccess && isList ? ['X-WP-Total', 'X-WP-TotalPages'] : []),
    // Responses with a 304 are the same for all callers.
    ...(304 in answers ? [] : ['X-WP-Nonce']),
    ...((isSuccess || status === 304) && 304 in answers ? ['ETag'] : []),
    ...(isSuccess ? answerHeaders : []),
    ...(isSuccess && (texts.length > 0 || type !== undefined) ? ['Content-Disposition'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ];
}
