import { Type } from '@fastify/type-provider-typebox';
import { isoMoment } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { answer, Moment, Text } from '../../platform/http/schemas.ts';
import { type Licence, licenceStatus } from './rules.ts';

const LICENCE_KEY_MAX_LENGTH = 256;
const EXAMPLE_KEY = 'pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ';

/** The header and body with which a site speaks for its licence. */
export const SiteRequest = Type.Object(
  {
    licence_key: Text(LICENCE_KEY_MAX_LENGTH, {
      description: 'The licence key, the same as in the `x-licence-key` header.',
    }),
    site_url: Text(URL_MAX_LENGTH, { description: 'The site: an http or https URL.' }),
  },
  { examples: [{ licence_key: EXAMPLE_KEY, site_url: 'https://example.com' }] },
);

export const licenceKeySecurity = [{ licenceKey: [] }];

const ERRORS = {
  400: ['invalid_request', 'The body is missing or malformed.', 'site_url is missing.'],
  401: [
    'unauthorised',
    'Authentication is missing or wrong.',
    'A licence key is needed in the x-licence-key header.',
  ],
  403: [
    'activation_limit_reached',
    'The licence does not allow it.',
    'All 3 of 3 activation slots are in use.',
  ],
  404: ['licence_not_found', 'No such licence.', 'No licence has this key.'],
  413: ['payload_too_large', 'The body is too large.', 'The request body is larger than 256 KiB.'],
  415: [
    'unsupported_media_type',
    'The body is not JSON.',
    'Send the body uncompressed and as Content-Type: application/json.',
  ],
  429: [
    'rate_limited',
    'Too many requests.',
    'Too many requests: 60 a minute are allowed. Try again in 17 s.',
  ],
  500: [
    'internal_error',
    'A fault of the server.',
    'Something went wrong on our side. It has been logged.',
  ],
  503: [
    'service_unavailable',
    'The database cannot be reached.',
    'The database cannot be reached. Try again in a moment.',
  ],
} as const;

/** The error answers of a route, for its `response`; 500 and 503 are in each. */
export function errorAnswers(...statuses: (keyof typeof ERRORS)[]) {
  return Object.fromEntries(
    [...statuses, 500 as const, 503 as const].map((status) => {
      const [error, description, message] = ERRORS[status];
      const fields = {
        error: Type.String({ description: 'A code for programs.' }),
        message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      };
      return [status, answer(description, fields, { error, message })];
    }),
  );
}

/** The fields of a licence that its customer sees, without its sites. */
export const licenceInfoFields = {
  id: Type.String({ description: 'Licence identifier.' }),
  key: Type.String({ description: 'The key, masked.' }),
  mode: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  tier: Type.String(),
  status: Type.String({ description: '`active`, `expired`, `suspended` or `revoked`.' }),
  sites_allowed: Type.Integer({ minimum: 1 }),
  sites_used: Type.Integer({ minimum: 0 }),
  expires_at: Moment(
    'When the licence ends; `9999-12-31T23:59:59.000Z` for one without an end.',
    '2027-11-21T00:00:00.000Z',
  ),
  activated_at: Moment(
    'The first activation; the issue if there was none.',
    '2026-11-21T09:30:00.000Z',
  ),
};

export const licenceInfoExample = {
  id: 'lic_Qh3vXk81LmRt0PzA',
  key: 'pv_live_Vb7K…EaQ1',
  mode: 'live',
  tier: 'pro',
  status: 'active',
  sites_allowed: 3,
  sites_used: 1,
  expires_at: '2027-11-21T00:00:00.000Z',
  activated_at: '2026-11-21T09:30:00.000Z',
};

/** A licence as its customer sees it. */
export function toLicenceInfo(
  licence: Licence,
  {
    maskedKey,
    sitesUsed,
    activatedAt,
    now,
  }: { maskedKey: string; sitesUsed: number; activatedAt: number; now: number },
) {
  return {
    id: licence.publicId,
    key: maskedKey,
    mode: licence.mode,
    tier: licence.tier,
    status: licenceStatus(licence, now),
    sites_allowed: licence.sitesAllowed,
    sites_used: sitesUsed,
    expires_at: isoMoment(licence.expiresAt),
    activated_at: isoMoment(activatedAt),
  };
}
