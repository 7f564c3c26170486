import { type Static, Type } from 'typebox';
import { KEEPING_GROUNDS, type KeepingGround } from '../../../personal-data/index.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { PAYMENT_TYPES } from '../../checkout/index.ts';
import type { Customer, CustomerSummary } from '../../customers/index.ts';
import { INTERVALS, NEVER } from '../../products/index.ts';
import { LicenceRecord } from '../schemas.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

const Remaining = Type.Object(
  {
    ground: OneOf(Object.keys(KEEPING_GROUNDS) as KeepingGround[]),
    reason: Type.String({ description: 'Explanation of the ground.' }),
    licences: Type.Array(
      Type.Object({ id: Type.String(), key: Type.String({ description: 'The key, masked.' }) }),
      {
        description:
          'Those that still run, newest first; also those that were transferred with a site that is still active, or that the customer still pays.',
      },
    ),
  },
  { title: 'CustomerRemainder' },
);

export const CustomerState = Type.Object(
  {
    email: nullable(Type.String({ description: 'Null once they are deleted.' })),
    remaining: Type.Array(Remaining, {
      description: 'What the customer is still needed for; empty if they can be deleted.',
    }),
  },
  { title: 'CustomerState' },
);

export const CustomerToDelete = Type.Object(
  {
    email: Type.Optional(
      Text(254, {
        description:
          'Email address of the customer. If the licence belongs to another customer now, nobody is deleted: 409 `customer_changed`.',
      }),
    ),
  },
  { title: 'CustomerToDelete' },
);

export const CustomerDeleted = Type.Object(
  {
    deleted: Type.Literal(true),
    records: Type.Array(
      Type.Object({
        category: Type.String(),
        label: Type.String(),
        erased: Type.Integer(),
        anonymised: Type.Integer(),
        kept: Type.Array(
          Type.Object({
            count: Type.Integer(),
            ground: OneOf(Object.keys(KEEPING_GROUNDS) as KeepingGround[]),
            reason: Type.String(),
          }),
        ),
      }),
      { description: 'What became of each kind of record.' },
    ),
  },
  { title: 'CustomerDeletion' },
);

export const CustomerFilter = Type.Object({
  search: Type.Optional(Text(254, { minLength: 0, description: 'Part of an email address.' })),
  ...paginationArgs(),
});

const customerFields = {
  id: Type.Integer(),
  email: nullable(Type.String({ description: 'Null once the customer is deleted.' })),
  created_at: Moment('When the customer was created.', EXAMPLE),
  active_until: nullable(
    Moment(
      'When their last licence ends or ended; `9999-12-31T23:59:59.000Z` for a lifetime licence.',
      '2027-11-21T00:00:00.000Z',
    ),
  ),
};

export const CustomerRecord = Type.Object(
  {
    ...customerFields,
    licences: Type.Integer({ description: 'Number of licences.' }),
    active_licences: Type.Integer({ description: 'Number of active licences.' }),
  },
  { title: 'CustomerRecord' },
);

const PurchaseRecord = Type.Object(
  {
    id: Type.Integer(),
    licence: Type.String({ description: 'Identifier of the licence.' }),
    kind: OneOf(['new', 'renewal']),
    bought_at: nullable(Moment('When it was paid first.', EXAMPLE)),
    tier: Type.String(),
    sites: nullable(
      Type.Integer({
        description:
          'Number of sites that were bought; null if it was not recorded, by version 0.2.0 and earlier.',
      }),
    ),
    interval: nullable(OneOf(INTERVALS)),
    paid_until: Moment('The end of the paid period.', '2027-11-21T00:00:00.000Z'),
    renews: Type.Boolean({ description: 'Whether a subscription renews it automatically.' }),
    status: OneOf(['paid', 'suspended', 'revoked'], {
      description: 'The effect of its payments on the licence.',
    }),
    payments: Type.Array(
      Type.Object({
        at: Moment('When it happened.', EXAMPLE),
        type: OneOf(PAYMENT_TYPES),
        amount: nullable(
          Type.Integer({
            description:
              'In the smallest unit of the currency, as Stripe counts it; null if it is not known. A refund has the sum of all refunds of its payment until then.',
          }),
        ),
        currency: nullable(Type.String({ description: 'ISO 4217.', examples: ['EUR'] })),
      }),
      { description: 'Payment history, oldest first.' },
    ),
  },
  { title: 'PurchaseRecord' },
);

export const CustomerDetail = Type.Object(
  {
    ...customerFields,
    licences: Type.Array(LicenceRecord, { description: 'Newest first.' }),
    sites: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Identifier of the activation.' }),
        licence: Type.String({ description: 'Identifier of the licence.' }),
        site_url: Type.String(),
        activated_at: Moment('When the site was activated.', EXAMPLE),
      }),
      { description: 'Activated sites of these licences, newest first.' },
    ),
    purchases: Type.Array(PurchaseRecord, { description: 'Newest first.' }),
    remaining: Type.Array(Remaining, {
      description: 'Why the customer cannot be deleted yet; empty if they can.',
    }),
  },
  { title: 'CustomerDetail' },
);

export const RenewalsArgs = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Period in days.' }),
});

export const RenewalsRecord = Type.Object(
  {
    days: Type.Integer(),
    expiring: Type.Integer({
      description:
        'Active live licences whose paid period ends in this period and is not renewed automatically.',
    }),
    renewing: Type.Integer({
      description:
        'Active live licences whose paid period ends in this period and is renewed by a subscription.',
    }),
  },
  { title: 'Renewals' },
);

export const toCustomerFields = (customer: Customer) => ({
  id: customer.id,
  email: readEmail(customer.email) ?? null,
  created_at: toIsoMoment(customer.createdAt),
  // It counts a grace period, which a lifetime licence does not have.
  active_until: customer.activeUntil ? toIsoMoment(Math.min(customer.activeUntil, NEVER)) : null,
});

export const toCustomerRecord = (customer: CustomerSummary): Static<typeof CustomerRecord> => ({
  ...toCustomerFields(customer),
  licences: customer.licences,
  active_licences: customer.activeLicences,
});
