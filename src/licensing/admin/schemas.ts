import { type Static, Type } from 'typebox';
import { MOMENT_MAX_LENGTH, toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { readEmail } from '../../platform/email-address.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { EXPORT_FORMATS } from '../../platform/rest/response.ts';
import { ActivationRecord } from '../activations/index.ts';
import {
  LICENCE_STATUSES,
  type LicenceEvent,
  type LicenceWithCustomer,
  licenceInfoFields,
  MAX_OVERLAP_HOURS,
  RESTRICTION_CAUSES,
  RESTRICTION_EFFECTS,
  type Restriction,
  toLicenceInfo,
} from '../licences/index.ts';
import { FeatureList } from '../products/index.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';
export const MODES = ['live', 'test'] as const;
const MAX_SITES = 1_000_000;
const MAX_GRACE_DAYS = 365;
const MAX_DAYS = 36_500;
const NOTES_MAX_LENGTH = 5_000;
const REASON_MAX_LENGTH = 5_000;

export const email = Text(254, {
  description: 'Email address of the customer, who is created if new.',
});
export const expiresAt = Text(MOMENT_MAX_LENGTH, {
  description:
    'Expiry as a day or an ISO 8601 time with its offset; `9999-12-31T23:59:59.000Z` for a lifetime licence.',
  examples: ['2027-11-21T00:00:00.000Z'],
});

/** Instead of `expires_at`. */
export const days = Type.Integer({
  minimum: 1,
  maximum: MAX_DAYS,
  description: 'Days from now until it expires, instead of `expires_at`.',
});

export const FILTERS = {
  search: Type.Optional(
    Text(254, {
      minLength: 0,
      description:
        'Part of an email address, an identifier, the URL of a site or of its page, or a masked key, also a rotated one.',
    }),
  ),
  status: Type.Optional(OneOf(LICENCE_STATUSES)),
  expires_within: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      description:
        'Licences whose paid period ends within this number of days. Not those in their grace period: their paid period has ended.',
    }),
  ),
  product: Type.Optional(Text(64, { description: 'The slug of a product.' })),
  tier: Type.Optional(Text(64)),
  mode: Type.Optional(OneOf(MODES)),
};
export const LicenceFilter = Type.Object({ ...FILTERS, ...paginationArgs() });
export type LicenceFilter = Static<typeof LicenceFilter>;
export const LicenceExport = Type.Object({
  ...FILTERS,
  format: OneOf(EXPORT_FORMATS, { default: 'csv' }),
});

export const sitesAllowed = Type.Integer({
  minimum: 1,
  maximum: MAX_SITES,
  description: 'Default for a new licence: the sites of the plan.',
});
export const graceDays = {
  minimum: 0,
  maximum: MAX_GRACE_DAYS,
  description:
    'Days for which it works after expiry. Default for a new licence: those of the plan.',
};
export const developmentSitesFree = Type.Boolean({
  description:
    'Whether development sites (localhost, *.test, staging.…) use no slot. Default for a new licence: of the plan.',
});
export const notes = Text(NOTES_MAX_LENGTH, {
  minLength: 0,
  description: 'Internal notes. The Licence API does not show them.',
});

export const product = Text(64, {
  description: 'The slug of the product. Default: the default product.',
});
export const tier = Text(64, { description: 'A plan of the product that is not archived.' });

export const Issue = Type.Object(
  {
    email,
    product: Type.Optional(product),
    tier,
    expires_at: expiresAt,
    mode: OneOf(MODES, { default: 'live' }),
    sites_allowed: Type.Optional(sitesAllowed),
    grace_days: Type.Optional(Type.Integer(graceDays)),
    development_sites_free: Type.Optional(developmentSitesFree),
    notes: Type.Optional(notes),
    mail: Type.Boolean({
      default: false,
      description: 'Whether to email the key to the customer.',
    }),
  },
  { title: 'LicenceIssue' },
);

export const IssueHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'The same request of the same user with the same key returns the same licences and licence keys, and emails them once.',
    }),
  ),
});

export const Edit = Type.Object(
  {
    tier: Type.Optional(tier),
    sites_allowed: Type.Optional(sitesAllowed),
    grace_days: Type.Optional(Type.Integer(graceDays)),
    development_sites_free: Type.Optional(developmentSitesFree),
    notes: Type.Optional(notes),
    features_added: Type.Optional(
      FeatureList('Features of this licence beside those of its plan.'),
    ),
    features_removed: Type.Optional(FeatureList('Features of the plan that this licence lacks.')),
  },
  { title: 'LicenceUpdate' },
);

export const RestrictionReason = Type.Object(
  {
    reason: Type.Optional(
      Text(REASON_MAX_LENGTH, {
        minLength: 0,
        description:
          'Why, for the activity of the licence. The Licence API does not show it. A copy of the data of the customer has it.',
        examples: ['Chargeback of order 1001'],
      }),
    ),
  },
  { title: 'LicenceRestrictionReason' },
);
export const Extension = Type.Object({ expires_at: expiresAt }, { title: 'LicenceExtension' });
export const Transfer = Type.Object(
  {
    email: Text(254, {
      description:
        'Email address of the new customer, who is created if new. They see active sites, which keep their slots, but no site that was deactivated before.',
    }),
  },
  { title: 'LicenceTransfer' },
);
export const Reroll = Type.Object(
  {
    overlap_hours: Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
      default: 0,
      description: 'Hours for which the old key keeps working.',
    }),
    mail: Type.Boolean({
      default: true,
      description: 'Whether to email the new key to the customer.',
    }),
  },
  { title: 'KeyRotation' },
);
export const Release = Type.Object(
  { activation_id: Type.Integer({ minimum: 1 }) },
  { title: 'ActivationRelease' },
);

const { activated_at: _sinceWhen, ...info } = licenceInfoFields;

export const LicenceRecord = Type.Object(
  {
    ...info,
    customer_id: Type.Integer(),
    email: nullable(
      Type.String({ description: 'Email address of the customer; null once deleted.' }),
    ),
    grace_days: Type.Integer(),
    development_sites_free: Type.Boolean(),
    issued_at: Moment('When it was issued.', EXAMPLE),
    suspended_at: nullable(Moment('When it was suspended.', EXAMPLE)),
    revoked_at: nullable(Moment('When it was revoked.', EXAMPLE)),
    features_added: Type.Array(Type.String(), {
      description: 'Features of this licence beside those of its plan.',
    }),
    features_removed: Type.Array(Type.String(), {
      description: 'Features of the plan that this licence lacks.',
    }),
    notes: Type.String({ description: 'Internal notes.' }),
  },
  { title: 'LicenceRecord' },
);

export const LicenceDetail = Type.Object(
  {
    ...LicenceRecord.properties,
    restrictions: Type.Array(
      Type.Object(
        {
          effect: OneOf(RESTRICTION_EFFECTS),
          cause: OneOf(RESTRICTION_CAUSES, {
            description:
              '`manual`: by hand. `disputed`, `unpaid`, `paused`, `dispute_lost` and `refunded` follow from payments and end with their cause.',
          }),
          since: Moment('Start of the restriction.', EXAMPLE),
          actor: Type.String({ description: 'The user, API token or payment service.' }),
        },
        { title: 'LicenceRestriction' },
      ),
      { description: 'Why it is suspended or revoked. Several causes can apply.' },
    ),
    renews: Type.Boolean({
      description:
        'Whether a subscription pays for it. If a licence is revoked by hand, its subscription goes on until you cancel it in Stripe.',
    }),
    notice: nullable(
      Type.String({ description: 'The consequences if more sites are active than allowed.' }),
    ),
    activations: Type.Array(ActivationRecord, { description: 'Oldest first.' }),
    events: Type.Array(
      Type.Object({
        at: Moment('When it happened.', EXAMPLE),
        actor: Type.String(),
        action: Type.String(),
        details: Type.Record(Type.String(), Type.Unknown(), {
          description:
            'By action. `transferred` has `from_email` and `to_email`; `suspended` and `revoked` have the `reason`, if one was given. `payment_received` has `licence_revoked` if you had revoked the licence before. Payments have `amount`, in the smallest unit of `currency`, if it is known.',
        }),
      }),
      { description: 'Activity, oldest first.' },
    ),
  },
  { title: 'LicenceDetail' },
);

export const KeyShown = Type.Object(
  {
    ...LicenceDetail.properties,
    licence_key: Type.String({ description: 'The key in clear, shown only once.' }),
  },
  { title: 'LicenceWithKey' },
);

export const toLicenceRecord = (
  licence: LicenceWithCustomer,
  context: Parameters<typeof toLicenceInfo>[1],
): Static<typeof LicenceRecord> => ({
  ...toLicenceInfo(licence, context),
  customer_id: licence.customerId,
  email: readEmail(licence.email) ?? null,
  grace_days: licence.graceDays,
  development_sites_free: licence.developmentSitesFree,
  issued_at: toIsoMoment(licence.issuedAt),
  suspended_at: toIsoMomentOrNull(licence.suspendedAt),
  revoked_at: toIsoMomentOrNull(licence.revokedAt),
  notes: licence.notes,
  features_added: [...licence.featuresAdded],
  features_removed: [...licence.featuresRemoved],
});

export const toRestrictionRecord = ({ effect, cause, since, actor }: Restriction) => ({
  effect,
  cause,
  since: toIsoMoment(since),
  actor,
});

/** Null if no more sites are active than allowed. */
export function describeOveruse(sitesUsed: number, sitesAllowed: number): string | null {
  if (sitesUsed <= sitesAllowed) return null;
  const excess = sitesUsed - sitesAllowed + 1;
  return (
    `${sitesUsed} sites are active, but ${sitesAllowed} ${sitesAllowed === 1 ? 'is' : 'are'} allowed. The active sites ` +
    `stay valid. No other site can be activated until ${excess} sites are deactivated or more are allowed.`
  );
}

export const toEventRecord = (event: LicenceEvent) => ({ ...event, at: toIsoMoment(event.at) });
