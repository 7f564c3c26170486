import { DAY_MS } from '../../platform/durations.ts';
import { type Licence, UNLIMITED_SITES } from '../licences/index.ts';
import { type Catalogue, getPlan, NEVER, type Product, readProduct } from '../products/index.ts';
import type { PaymentState } from './rules.ts';

/** The effect of payments on a licence, with what its plan says. */
export interface PlannedState extends PaymentState {
  /** The sum of all packages, `UNLIMITED_SITES` at most. */
  sites: number;
  /** Of each package. */
  packageSites: number;
  /** Of the product. */
  plans: Product['plans'];
}

/**
 * Adds the sites of the plan, its grace period if that is longer, except for a trial, and its trial with the end until they
 * are reported.
 * @throws NotFoundError if the plan was not created
 */
export function addPlan(state: PaymentState, catalogue: Catalogue): PlannedState {
  const product = readProduct(catalogue, state.product);
  const plan = getPlan(product, state.tier);
  const { trialFrom } = state;
  return {
    ...state,
    plans: product.plans,
    sites: Math.min(UNLIMITED_SITES, state.quantity * plan.sitesAllowed),
    packageSites: plan.sitesAllowed,
    ...(trialFrom !== undefined &&
      plan.trialDays > 0 && { expiresAt: trialFrom + plan.trialDays * DAY_MS, isTrial: true }),
    graceDays: state.isTrial ? state.graceDays : Math.max(state.graceDays, plan.graceDays),
  };
}

/** A licence before a purchase renewed it, by its columns; `expires_at` in epoch milliseconds. */
export interface Replaced {
  tier: string;
  sites_allowed: number;
  expires_at: number;
  grace_days: number;
  /** 1 for a trial without a card. */
  is_trial?: 0 | 1;
  /** If the renewal changed it. */
  development_sites_free?: 0 | 1;
  /** Sites of the plan per package when it was renewed. Renewals of earlier releases lack it. */
  package_sites?: number;
}

/**
 * The end of the paid period plus the days that were left when the licence was renewed. An upgrade of tier or
 * packages does not carry them over. Sites are only sold in whole packages, so those that fill up a package are no upgrade.
 */
export function addRemainingDays(
  {
    tier,
    quantity,
    packageSites,
    expiresAt,
  }: Pick<PlannedState, 'tier' | 'quantity' | 'packageSites' | 'expiresAt'>,
  { replaced, boughtAt }: { replaced: Replaced | undefined; boughtAt: number | null },
): number {
  if (!replaced || boughtAt === null) return expiresAt;
  const { package_sites: perPackage = packageSites } = replaced;
  const isSame =
    tier === replaced.tier &&
    (replaced.sites_allowed >= UNLIMITED_SITES ||
      quantity <= Math.ceil(replaced.sites_allowed / perPackage));
  const left = isSame ? Math.max(0, replaced.expires_at - boughtAt) : 0;
  return Math.min(NEVER, expiresAt + left);
}

/** Whether a licence without a limit of sites stays so: in its tier, however many packages are paid. */
export const staysUnlimited = (
  { tier, sitesAllowed }: Pick<Licence, 'tier' | 'sitesAllowed'>,
  paid: { tier: string },
): boolean => tier === paid.tier && sitesAllowed >= UNLIMITED_SITES;

/**
 * The columns of a licence that follow from the plan that is paid now. With another tier, the setting for development
 * sites follows too, unless it was changed for this licence.
 */
export function toPlanColumns(licence: Licence, { tier, sites, plans }: PlannedState) {
  const isFree = (each: string) =>
    plans.find((plan) => plan.tier === each)?.developmentSitesFree ?? false;
  const isChanged =
    isFree(tier) !== isFree(licence.tier) && licence.developmentSitesFree === isFree(licence.tier);
  return {
    tier,
    sites_allowed: staysUnlimited(licence, { tier }) ? licence.sitesAllowed : sites,
    ...(isChanged && { development_sites_free: isFree(tier) ? (1 as const) : (0 as const) }),
  };
}
