import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError, TakenError } from '../../platform/errors.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { CATALOGUE_CHANGED } from './cache.ts';
import {
  type Catalogue,
  findProduct,
  getPlan,
  type Plan,
  type PlanPrices,
  type Product,
} from './rules.ts';
import type { PlanUpdate, ProductUpdate } from './schemas.ts';
import {
  insertPlan,
  insertProduct,
  lockCatalogue,
  readCatalogue,
  updatePlanRow,
  updateProductRow,
} from './store.ts';

/** The fields of a product that can change, as the APIs name them. Null clears. */
type ProductEdits = Static<typeof ProductUpdate>;

/** The fields of a plan that can change, as the APIs name them. */
type PlanEdits = Static<typeof PlanUpdate>;

/** A strong validator of the editable fields (RFC 9110, section 8.8.3). */
export const getProductTag = ({ name, currentVersion, siteUrl }: Product): string =>
  toStrongTag([name, currentVersion, siteUrl]);
export const getPlanTag = ({ id: _id, ...fields }: Plan): string => toStrongTag(fields);

/** @throws TakenError if the slug is taken; InvalidFieldError for an invalid URL */
export function createProduct(
  platform: Platform,
  { slug, ...fields }: { slug: string; name: string } & ProductEdits,
  actor: string,
): Promise<Product> {
  return change(platform, actor, async (trx, catalogue) => {
    if (findProduct(catalogue, slug))
      throw new TakenError('slug', `There is already a product with the slug ${slug}.`);
    assertUrl(fields.site_url);
    const columns = { name: fields.name, ...toProductColumns(fields) };
    await insertProduct(trx, { slug, ...columns, created_at: platform.clock.now() });
    return { event: 'product_changed', slug, details: { action: 'created', ...fields } };
  });
}

/**
 * @param ifMatch the `If-Match` header, if sent
 * @throws NotFoundError; DomainError `rest_precondition_failed`; InvalidFieldError for an invalid URL
 */
export function updateProduct(
  platform: Platform,
  slug: string,
  { edits, ifMatch }: { edits: ProductEdits; ifMatch?: string | undefined },
  actor: string,
): Promise<Product> {
  return change(platform, actor, async (trx, catalogue) => {
    const product = findProduct(catalogue, slug);
    if (!product) throw new NotFoundError('The product');
    assertFitsIfMatch(ifMatch, getProductTag(product), 'product');
    assertUrl(edits.site_url);
    const columns = toProductColumns(edits);
    if (Object.keys(columns).length > 0) await updateProductRow(trx, product.id, columns);
    return { event: 'product_changed', slug, details: { action: 'updated', ...edits } };
  });
}

/** @throws NotFoundError; TakenError if the product has the tier; InvalidFieldError for a price of another plan */
export async function createPlan(
  platform: Platform,
  slug: string,
  { tier, label, archived: _archived, ...fields }: { tier: string } & PlanEdits,
  actor: string,
): Promise<{ product: Product; plan: Plan }> {
  const product = await change(platform, actor, async (trx, catalogue) => {
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
  const product = await change(platform, actor, async (trx, catalogue) => {
    const { product: found, plan } = findPlan(catalogue, id);
    tier = plan.tier;
    assertFitsIfMatch(ifMatch, getPlanTag(plan), 'plan');
    assertOwnPrices(catalogue, edits.prices ?? {}, plan);
    assertTrial(edits, plan);
    const { archived, ...fields } = edits;
    const isUnchanged = archived === undefined || archived === (plan.archivedAt !== null);
    const values = {
      ...toColumns(fields),
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

interface Change {
  event: 'product_changed' | 'plan_changed';
  slug: string;
  details: Readonly<Record<string, unknown>>;
}

/** Makes one change at a time, records it in the security log and announces it to all nodes, unless nothing changed. */
function change(
  { datastore, clock }: Platform,
  actor: string,
  apply: (trx: Trx, catalogue: Catalogue) => Promise<Change>,
): Promise<Product> {
  return datastore.transaction(async (trx, announce) => {
    await lockCatalogue(trx);
    const before = await readCatalogue(trx);
    const { event, slug, details } = await apply(trx, before);
    const changed = findProduct(await readCatalogue(trx), slug);
    if (!changed) throw new NotFoundError('The product');
    if (isDeepStrictEqual(changed, findProduct(before, slug))) return changed;
    const recorded = { event, actor, details: { product: slug, ...details } };
    await appendSecurityEvent(trx, recorded, clock.now());
    announce(CATALOGUE_CHANGED, slug);
    return changed;
  });
}

const toProductColumns = ({ site_url: website, ...columns }: ProductEdits) => ({
  ...columns,
  ...(website !== undefined && { website }),
});

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

function assertUrl(text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const protocol = URL.parse(text)?.protocol ?? '';
  if (['http:', 'https:'].includes(protocol)) return;
  throw new InvalidFieldError(
    'site_url',
    'Enter an http or https URL, for example https://example.com.',
  );
}

/** Sets the current version of a product within a transaction. It is a consequence of a release, which is recorded. */
export async function setCurrentVersion(
  trx: Trx,
  announce: Announce,
  { id, slug }: Product,
  version: string,
): Promise<void> {
  await updateProductRow(trx, id, { current_version: version });
  announce(CATALOGUE_CHANGED, slug);
}
