import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError, TakenError } from '../../platform/errors.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { changeCatalogue } from './change-catalogue.ts';
import {
  type Catalogue,
  findProduct,
  getPlan,
  listFormerPrices,
  type Plan,
  type PlanPrices,
  type Product,
} from './rules.ts';
import type { PlanUpdate } from './schemas.ts';
import { insertPlan, updatePlanRow } from './store.ts';

/** The fields of a plan that can change, as the APIs name them. */
type PlanEdits = Static<typeof PlanUpdate>;

/** A strong validator of the editable fields (RFC 9110, section 8.8.3). */
export const getPlanTag = ({ id: _id, ...fields }: Plan): string => toStrongTag(fields);

/** @throws NotFoundError; TakenError if the product has the tier; InvalidFieldError for a price of another plan */
export async function createPlan(
  platform: Platform,
  slug: string,
  { tier, label, archived: _archived, ...fields }: { tier: string } & PlanEdits,
  actor: string,
): Promise<{ product: Product; plan: Plan }> {
  const product = await changeCatalogue(platform, actor, async (trx, catalogue) => {
    const found = findProduct(catalogue, slug);
    if (!found) throw new NotFoundError('The product');
    if (found.plans.some((plan) => plan.tier === tier))
      throw new TakenError('tier', `${found.name} already has a plan with the tier ${tier}.`);
    assertOwnPrices(catalogue, fields.prices ?? {}, undefined);
    assertTrial(fields);
    await insertPlan(trx, {
      product_id: found.id,
      tier,
      label: label ?? tier,
      sites_allowed: 1,
      features: '[]',
      development_sites_free: 0,
      grace_days: 0,
      trial_days: 0,
      prices: '{}',
      position: Math.max(-1, ...found.plans.map(({ position }) => position)) + 1,
      ...toColumns(fields),
    });
    return { event: 'plan_changed', slug, details: { action: 'created', tier, ...fields } };
  });
  return { product, plan: getPlan(product, tier) };
}

/**
 * Changes or archives a plan. Its licences follow at once, on all nodes, with what they do not override.
 * @param id a number, or the slug of the product and the tier
 * @param ifMatch the `If-Match` header, if sent
 * @throws NotFoundError; DomainError `rest_precondition_failed`; InvalidFieldError for a price of another plan
 */
export async function updatePlan(
  platform: Platform,
  id: number | { product: string; tier: string },
  { edits, ifMatch }: { edits: PlanEdits; ifMatch?: string | undefined },
  actor: string,
): Promise<{ product: Product; plan: Plan }> {
  let tier = '';
  const product = await changeCatalogue(platform, actor, async (trx, catalogue) => {
    const { product: found, plan } = findPlan(catalogue, id);
    tier = plan.tier;
    assertFitsIfMatch(ifMatch, getPlanTag(plan), 'plan');
    assertOwnPrices(catalogue, edits.prices ?? {}, plan);
    assertTrial(edits, plan);
    const { archived, ...fields } = edits;
    const isUnchanged = archived === undefined || archived === (plan.archivedAt !== null);
    const values = {
      ...toColumns(fields),
      ...(fields.prices && {
        former_prices: JSON.stringify(listFormerPrices(plan, fields.prices)),
      }),
      ...(!isUnchanged && { archived_at: archived ? platform.clock.now() : null }),
    };
    if (Object.keys(values).length > 0) await updatePlanRow(trx, plan.id, values);
    const action = isUnchanged ? 'updated' : archived ? 'archived' : 'restored';
    return { event: 'plan_changed', slug: found.slug, details: { action, tier, ...fields } };
  });
  return { product, plan: getPlan(product, tier) };
}

/** @throws NotFoundError */
export function findPlan(
  catalogue: Catalogue,
  id: number | { product: string; tier: string },
): { product: Product; plan: Plan } {
  for (const product of catalogue)
    for (const plan of product.plans)
      if (
        typeof id === 'number'
          ? plan.id === id
          : product.slug === id.product && plan.tier === id.tier
      )
        return { product, plan };
  throw new NotFoundError('The plan');
}

function toColumns({
  features,
  prices,
  development_sites_free: isFree,
  trial_without_card: isOpen,
  ...columns
}: PlanEdits) {
  return {
    ...columns,
    ...(isOpen !== undefined && { trial_without_card: isOpen ? (1 as const) : (0 as const) }),
    ...(features && { features: JSON.stringify([...new Set(features)]) }),
    ...(prices && { prices: JSON.stringify(prices) }),
    ...(isFree !== undefined && { development_sites_free: isFree ? (1 as const) : (0 as const) }),
  };
}

/** A payment must lead to one plan. */
function assertOwnPrices(catalogue: Catalogue, prices: PlanPrices, own: Plan | undefined): void {
  const ids = Object.values(prices).filter((price) => price !== null);
  const others = catalogue
    .flatMap(({ plans }) => plans)
    .filter(({ id }) => id !== own?.id)
    .flatMap((plan) => Object.values(plan.prices));
  const taken = ids.find((price, index) => others.includes(price) || ids.indexOf(price) < index);
  if (taken === undefined) return;
  throw new InvalidFieldError(
    'prices',
    `${taken} is used more than once. Each price is for one plan and interval.`,
  );
}

/** A trial without a card must have an end. */
function assertTrial(edits: PlanEdits, { trialDays = 0, trialWithoutCard = false } = {}): void {
  const days = edits.trial_days ?? trialDays;
  if (days > 0 || !(edits.trial_without_card ?? trialWithoutCard)) return;
  throw new InvalidFieldError(
    'trial_without_card',
    'A trial without a card needs trial_days of 1 or more.',
  );
}
