import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, Moment, OneOf, Text } from '../../platform/http/schemas.ts';
import type { Catalogue } from '../products/index.ts';
import {
  describeEntitlement,
  getExpiry,
  getLicenceStatus,
  LICENCE_STATUSES,
  type Licence,
} from './rules.ts';

const LICENCE_KEY_MAX_LENGTH = 256;
export const EXAMPLE_KEY = 'pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ';

export const LicenceId = (description = 'Licence identifier.') =>
  Text(64, { description, examples: ['lic_Qh3vXk81LmRt0PzA'] });
export const LicenceParams = Type.Object({ id: LicenceId() });

export const SiteRequest = Type.Object(
  {
    licence_key: Text(LICENCE_KEY_MAX_LENGTH, {
      description: 'The licence key, the same as in the `x-licence-key` header.',
    }),
    site_url: Text(URL_MAX_LENGTH, { description: 'The site: an http or https URL.' }),
    product: Type.Optional(
      Text(64, {
        description:
          'The slug of your product. The key of another product then gets the same 404 as an unknown key.',
      }),
    ),
  },
  {
    title: 'SiteRequest',
    examples: [{ licence_key: EXAMPLE_KEY, site_url: 'https://example.com' }],
  },
);

export const licenceKeySecurity = [{ licenceKey: [] }];

/** For each status: description, example message and codes. */
const ERRORS = {
  400: ['The request body is missing or malformed.', 'site_url is missing.', 'invalid_request'],
  401: [
    'Authentication is missing or wrong.',
    'A licence key is needed in the x-licence-key header.',
    'unauthorised',
  ],
  403: [
    'The licence does not allow it.',
    '3 of 3 activations are in use. Deactivate a site to free one.',
    'activation_limit_reached',
    'licence_expired',
    'licence_suspended',
    'licence_revoked',
    'site_not_activated',
    'link_expired',
    'exchange_closed',
    'scope_missing',
    'product_not_allowed',
  ],
  404: [
    'No such licence, activation, purchase or product.',
    'No licence has this key.',
    'licence_not_found',
    'activation_not_found',
    'purchase_not_found',
    'release_not_found',
    'product_not_found',
  ],
  409: [
    'The state of the licence does not allow it now; the message says what to do.',
    'This licence renews automatically. To change it, choose another tier, interval or number of sites.',
    'renewal_not_needed',
    'payment_in_progress',
    'trial_used',
    'other_subscriber',
    'wrong_mode',
    'not_possible',
    'idempotency_key_used',
    'key_rotated',
  ],
  413: ['The body is too large.', 'The request body is larger than 256 KiB.', 'payload_too_large'],
  415: [
    'The body is not JSON.',
    'Send the body uncompressed and as Content-Type: application/json.',
    'unsupported_media_type',
  ],
  429: [
    'Too many requests; `Retry-After` is the number of seconds to wait.',
    'Too many requests: 60 a minute are allowed. Try again in 17 s.',
    'rate_limited',
  ],
  431: [
    'The address and the headers are too large: together they may have at most 16 KiB.',
    'The request headers are too large.',
    'headers_too_large',
  ],
  500: ['Server error.', 'Something went wrong on our side. It has been logged.', 'internal_error'],
  503: [
    'The database cannot be reached, is damaged, cannot be written, has cancelled a statement that took too long, or has not confirmed a change, which may have been saved; the message says which, and what to do.',
    'The database cannot be reached. Try again in a moment.',
    'service_unavailable',
  ],
} as const;

const CODES = Object.values(ERRORS).flatMap(([, , ...codes]) => codes);

/** The error responses of a route; 431, 500 and 503 are always included. */
export function errorAnswers(...statuses: (keyof typeof ERRORS)[]) {
  return Object.fromEntries(
    [...statuses, 431 as const, 500 as const, 503 as const].map((status) => {
      const [description, message, ...codes] = ERRORS[status];
      const fields = {
        error: OneOf(CODES, { description: 'Error code.' }),
        message: Type.String({ description: 'What is wrong and what to do.' }),
        help_url: Type.Optional(
          Type.String({
            description:
              'Only with `activation_limit_reached`: the page on which the customer deactivates another site and ' +
              'activates this one. It requires a sign-in, so you can show it to anybody.',
          }),
        ),
      };
      const said = `${description} \`error\`: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
      return [status, describeResponse(said, fields, { error: codes[0], message }, 'Error')];
    }),
  );
}

export const expiryFields = {
  expires_at: Moment(
    'When the licence stops working; `9999-12-31T23:59:59.000Z` for a lifetime licence. During a grace ' +
      'period this is the end of grace, so it is never in the past while the licence is valid.',
    '2027-11-21T00:00:00.000Z',
  ),
  paid_until: Moment(
    'The end of the paid period. During a grace period this is in the past.',
    '2027-11-21T00:00:00.000Z',
  ),
};

/** The values of `expiryFields` at a moment. */
export function toExpiry(licence: Pick<Licence, 'expiresAt' | 'graceDays'>, now: number) {
  const end = getExpiry(licence, now);
  const paid_until = toIsoMoment(licence.expiresAt);
  // Hot path of validation: formatting one date costs half as much as two.
  return { expires_at: end === licence.expiresAt ? paid_until : toIsoMoment(end), paid_until };
}

export const trialField = Type.Optional(
  Type.Literal(true, {
    description: 'Only for a trial without a card. It is absent as soon as the licence is bought.',
  }),
);

/** A licence as its customer sees it, without its sites. */
export const licenceInfoFields = {
  id: Type.String({ description: 'Licence identifier.' }),
  key: Type.String({ description: 'The key, masked.' }),
  mode: OneOf(['live', 'test']),
  tier: Type.String({ description: 'The plan of the product.' }),
  status: OneOf(LICENCE_STATUSES),
  sites_allowed: Type.Integer({ minimum: 1 }),
  sites_used: Type.Integer({ minimum: 0 }),
  ...expiryFields,
  activated_at: Moment(
    'The first activation; without one, when it was issued.',
    '2026-11-21T09:30:00.000Z',
  ),
  trial: trialField,
  product: Type.String({ description: 'The slug of the product.' }),
  plan: Type.String({ description: 'The name of the plan for people.' }),
  features: Type.Array(Type.String(), {
    description:
      'The features of the plan, with those that the licence adds and without those that it removes.',
  }),
};

export const licenceInfoExample = {
  id: 'lic_Qh3vXk81LmRt0PzA',
  key: 'pv_live_Vb7K…EaQ1',
  mode: 'live',
  product: 'pavis',
  tier: 'pro',
  plan: 'Pro',
  features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
  status: 'active',
  sites_allowed: 3,
  sites_used: 1,
  expires_at: '2027-11-21T00:00:00.000Z',
  paid_until: '2027-11-21T00:00:00.000Z',
  activated_at: '2026-11-21T09:30:00.000Z',
};

/**
 * What customers and the staff of the vendor see of a licence.
 * @param key masked
 */
export const toLicenceInfo = (
  licence: Licence,
  {
    catalogue,
    key,
    sitesUsed,
    now,
  }: { catalogue: Catalogue; key: string; sitesUsed: number; now: number },
) => ({
  id: licence.publicId,
  key,
  mode: licence.mode,
  tier: licence.tier,
  ...describeEntitlement(catalogue, licence),
  status: getLicenceStatus(licence, now),
  sites_allowed: licence.sitesAllowed,
  sites_used: sitesUsed,
  ...toExpiry(licence, now),
  ...(licence.isTrial && { trial: true as const }),
});
