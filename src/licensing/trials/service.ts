import { queueMail, SEALED_PLACE, sealForMail } from '../../mail/index.ts';
import type { LicenceMode } from '../../platform/crypto/licence-key.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  isDevelopmentSite,
  parseSiteUrl,
  toPublicSiteUrl,
  toSiteKey,
} from '../activations/index.ts';
import { readBrand } from '../branding/index.ts';
import { type CanRenew, mailKey } from '../checkout/index.ts';
import { type IssuedLicence, issueLicenceWithin, toRenewalUrl } from '../licences/index.ts';
import {
  DEFAULT_PRODUCT,
  findProduct,
  hasOwnName,
  type Plan,
  type Product,
  readCatalogue,
} from '../products/index.ts';
import { createTrialToken, LINK_MS, readTrialToken, type TrialGrant } from './links.ts';
import { renderTrialMail, renderTrialUsedMail } from './mail.ts';
import { listTrialPlans, TRIAL_KEPT_MS, toTrialAddress } from './rules.ts';
import { deleteTrials, findTrialUse, insertTrial } from './store.ts';

/** In the audit log. */
const ACTOR = 'customer';

export interface TrialSettings {
  /** Public URL of the Licence API. */
  publicUrl: () => string;
  /** `test` while the checkout takes no real money, so that the trial can be bought in it. */
  mode: LicenceMode;
  canRenew: CanRenew;
}

/** @throws DomainError `invalid_request` with the slugs that exist */
export async function readTrialProduct(
  { catalogue }: Platform,
  slug: string = DEFAULT_PRODUCT,
): Promise<Product> {
  const products = await catalogue.read();
  const product = findProduct(products, slug);
  if (product) return product;
  throw invalid(`product must be one of: ${products.map((each) => each.slug).join(', ')}.`);
}

/**
 * Emails a link that starts a trial, or that the address or the site has had its trial. Nothing is stored but the
 * email, so a stranger's request has no effect for the owner of the address.
 * @param request `isBusy`: whether no more emails are sent to this address today
 * @throws DomainError `invalid_request` for an invalid or a development site, and for a plan without such a trial
 */
export async function requestTrial(
  platform: Platform,
  { publicUrl }: TrialSettings,
  request: { email: string; siteUrl: string; product: Product; tier?: string; isBusy: boolean },
): Promise<void> {
  const { datastore, clock, secret } = platform;
  const { email, siteUrl, product, isBusy } = request;
  if (isDevelopmentSite(parseSiteUrl(siteUrl)))
    throw invalid('site_url must be the public address of your site, not of a development site.');
  const publicSite = toPublicSiteUrl(siteUrl);
  // The link holds it, and it can be longer than what identifies the site.
  parseSiteUrl(publicSite);
  const plan = choosePlan(product, request.tier);
  const now = clock.now();
  const grant = {
    email,
    siteUrl: publicSite,
    product: product.slug,
    tier: plan.tier,
  };
  const { isUsed } = await findTrialUse(datastore.db, hashTrial(platform, product, grant));
  const voice = {
    brand: await readBrand(datastore.db),
    product: hasOwnName(product) ? product.name : '',
  };
  const accountUrl = `${new URL(publicUrl()).origin}/account/`;
  const link = `${accountUrl}start-trial?token=${SEALED_PLACE}`;
  const mail = isUsed
    ? renderTrialUsedMail(voice, accountUrl)
    : {
        ...renderTrialMail(voice, { link, plan: plan.label, days: plan.trialDays }),
        sealed: sealForMail(secret, createTrialToken(secret, grant, now)),
        expiresAt: now + LINK_MS,
      };
  if (isBusy) return;
  await datastore.transaction(async (trx, announce) => {
    await queueMail(trx, announce, { ...mail, to: email, kind: 'trial_link' }, now);
  });
}

/**
 * Starts the trial of a link: issues its licence and emails the key. Of concurrent requests for one address or one
 * site, on any node, one starts a trial.
 * @throws DomainError 403 `link_expired`; 409 `trial_used`, `not_possible` if the plan offers no trial any more
 */
export function startTrial(
  platform: Platform,
  { publicUrl, mode, canRenew }: TrialSettings,
  token: string,
): Promise<IssuedLicence> {
  const { datastore, clock, secret } = platform;
  return datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const grant = readTrialToken(secret, token, now);
    if (!grant) {
      const message =
        'This link has expired after 24 hours, or it is incomplete. Ask for a new one.';
      throw new DomainError('forbidden', 'link_expired', message);
    }
    const product = findProduct(await readCatalogue(trx), grant.product);
    const plan = product && listTrialPlans(product).find(({ tier }) => tier === grant.tier);
    if (!product || !plan)
      throw new DomainError('conflict', 'not_possible', 'This trial is no longer offered.');
    const hashes = hashTrial(platform, product, grant);
    if (!(await insertTrial(trx, { ...hashes, started_at: now }))) {
      const { isSame } = await findTrialUse(trx, hashes);
      throw new DomainError(
        'conflict',
        'trial_used',
        isSame
          ? 'This trial has already started. The licence key was sent to the email address.'
          : 'Each email address and each site can have one trial of a product, and this address or this site has already had it.',
      );
    }
    const terms = {
      ...{ email: grant.email, product: product.slug, tier: plan.tier, mode },
      ...{ expiresAt: now + plan.trialDays * DAY_MS, graceDays: 0, isTrial: true },
    };
    const issued = await issueLicenceWithin(platform, trx, announce, terms, ACTOR);
    const { licence } = issued;
    const buyUrl = canRenew(product, licence) ? toRenewalUrl(publicUrl(), licence) : undefined;
    await mailKey(platform, trx, announce, issued, { buyUrl });
    return issued;
  });
}

/** Deletes the hashes of trials that no longer count. */
export const deleteOldTrials = ({ datastore, clock }: Platform): Promise<void> =>
  datastore.transaction((trx) => deleteTrials(trx, clock.now() - TRIAL_KEPT_MS));

/** With the product in them, so that nobody can tell whether two trials of different products are of one person. */
const hashTrial = (
  { secret }: Platform,
  { id, slug }: Product,
  { email, siteUrl }: Pick<TrialGrant, 'email' | 'siteUrl'>,
) => ({
  product_id: id,
  address_hash: secret.hash('trial-address', `${slug} ${toTrialAddress(email)}`),
  site_hash: secret.hash('trial-site', `${slug} ${toSiteKey(siteUrl)}`),
});

/** @param tier default: the first plan with a trial */
function choosePlan(product: Product, tier: string | undefined): Plan {
  const plans = listTrialPlans(product);
  const plan = tier === undefined ? plans[0] : plans.find((each) => each.tier === tier);
  if (plan) return plan;
  const [first] = plans;
  throw invalid(
    first
      ? `tier must be one of: ${plans.map((each) => each.tier).join(', ')}.`
      : 'This product has no trial without a card.',
  );
}

const invalid = (message: string) => new DomainError('invalid', 'invalid_request', message);
