import { expect } from 'vitest';

const TEXT = expect.stringMatching(/\S/);

/** The two APIs with their prefixes and error formats. */
export const SCOPES = [
  {
    name: 'the Licence API',
    prefix: '',
    noRoute: 'not_found',
    refusal: (_status: number, code = TEXT) => ({ error: code, message: TEXT }),
  },
  {
    name: 'the plugin API',
    prefix: '/wp-json/svc/v1',
    noRoute: 'rest_no_route',
    refusal: (status: number, code = TEXT) => ({ code, message: TEXT, data: { status } }),
  },
];
