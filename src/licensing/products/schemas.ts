import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { toRecord } from '../../platform/http/record.ts';
import { clearable, Moment, NonBlankText, nullable, Text } from '../../platform/http/schemas.ts';
import type { Plan, Product } from './rules.ts';

const NAME_MAX_LENGTH = 64;
const EXAMPLE = '2026-11-21T09:30:00.000Z';

const Slug = (description: string, examples: string[]) =>
  Type.String({
    minLength: 1,
    maxLength: NAME_MAX_LENGTH,
    pattern: '^[a-z0-9]+(?:[_-][a-z0-9]+)*$',
    description: `${description} Lower-case letters and digits, with single hyphens or underscores between them.`,
    examples,
  });

const ProductSlug = Slug('The name of the product in the APIs. It cannot be changed later.', [
  'forms-pro',
]);
const Tier = Slug(
  'The name of the plan in the APIs, unique per product. It cannot be changed later.',
  ['pro'],
);

/** Names of features, in their order. */
export const FeatureList = (description: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: NAME_MAX_LENGTH,
      pattern: '^[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*$',
    }),
    { maxItems: 100, description, examples: [['export', 'priority_support']] },
  );

const productFields = {
  name: NonBlankText(200, { description: 'The name of the product for people.' }),
  current_version: clearable(
    Type.String({
      minLength: 1,
      maxLength: NAME_MAX_LENGTH,
      pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]*$',
      description: 'The current version, for example `2.4.1`.',
    }),
  ),
  site_url: clearable(Text(URL_MAX_LENGTH, { description: 'The website of the product.' })),
};

const Price = (interval: string) =>
  clearable(
    Type.String({
      maxLength: 255,
      pattern: '^price_[A-Za-z0-9_]+$',
      description: `Identifier of the ${interval} price at Stripe; null without one.`,
    }),
  );

const Prices = Type.Object(
  { month: Price('monthly'), year: Price('yearly'), once: Price('one-time') },
  {
    additionalProperties: false,
    description:
      'Prices by billing interval. Without any, the default product is sold at the prices of `PAVIS_STRIPE_PRICES`.',
  },
);

const description = Text(300, {
  description: 'What buyers read of the plan. Without it, they read the names of its features.',
});

const planFields = {
  label: NonBlankText(NAME_MAX_LENGTH, { description: 'The name of the plan for people.' }),
  sites_allowed: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Sites per licence.',
  }),
  features: FeatureList('Names of features, as your plugin checks them.'),
  development_sites_free: Type.Boolean({
    description: 'Whether development sites (localhost, *.test, staging.…) use no slot.',
  }),
  grace_days: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Days for which new licences work after their expiry.',
  }),
  trial_days: Type.Integer({
    minimum: 0,
    maximum: 730,
    description:
      'Days of the free trial of a new subscription at Stripe, and of a trial without a card.',
  }),
  trial_without_card: Type.Boolean({
    description:
      'Whether the trial can also be started with an email address only, once for each address and each site.',
  }),
  prices: Prices,
  position: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Place among the plans.' }),
};

export const ProductCreate = Type.Object(
  { slug: ProductSlug, ...productFields },
  { title: 'ProductCreate', examples: [{ slug: 'forms-pro', name: 'Forms Pro' }] },
);
export const ProductUpdate = Type.Object(
  { ...productFields, name: Type.Optional(productFields.name) },
  { title: 'ProductUpdate' },
);
const optionalPlanFields = {
  ...Type.Partial(Type.Object(planFields)).properties,
  description: clearable(description),
};
export const PlanCreate = Type.Object(
  { tier: Tier, ...optionalPlanFields },
  {
    title: 'PlanCreate',
    examples: [{ tier: 'pro', label: 'Pro', sites_allowed: 5, features: ['export'] }],
  },
);
export const PlanUpdate = Type.Object(
  {
    ...optionalPlanFields,
    archived: Type.Optional(
      Type.Boolean({
        description:
          'Whether the plan is archived: its licences keep working and can be renewed, and no new one is issued. A plan cannot be deleted.',
      }),
    ),
  },
  { title: 'PlanUpdate' },
);

export const PlanRecord = Type.Object(
  {
    id: Type.Integer(),
    product: Type.String({ description: 'The slug of the product.' }),
    tier: Type.String(),
    ...planFields,
    description: nullable(description),
    archived_at: nullable(Moment('When the plan was archived.', EXAMPLE)),
    licences: Type.Integer({ description: 'Number of licences of the plan.' }),
  },
  { title: 'Plan' },
);

export const ProductRecord = Type.Object(
  {
    id: Type.Integer(),
    slug: Type.String(),
    name: Type.String(),
    current_version: nullable(Type.String()),
    site_url: nullable(Type.String()),
    created_at: Moment('When the product was created.', EXAMPLE),
    licences: Type.Integer({ description: 'Number of licences of the product.' }),
    plans: Type.Array(PlanRecord, { description: 'In the order in which they are offered.' }),
  },
  { title: 'Product' },
);

/** Numbers of licences by product and tier. */
export type LicenceCounts = (product: Product, plan: Plan) => number;

export const toPlanRecord = (
  product: Product,
  plan: Plan,
  count: LicenceCounts,
): Static<typeof PlanRecord> =>
  toRecord(PlanRecord, {
    ...plan,
    product: product.slug,
    features: [...plan.features],
    archivedAt: toIsoMomentOrNull(plan.archivedAt),
    licences: count(product, plan),
  });

export function toProductRecord(
  product: Product,
  count: LicenceCounts,
): Static<typeof ProductRecord> {
  const plans = product.plans.map((plan) => toPlanRecord(product, plan, count));
  return toRecord(ProductRecord, {
    ...product,
    createdAt: toIsoMoment(product.createdAt),
    licences: plans.reduce((sum, plan) => sum + plan.licences, 0),
    plans,
  });
}
