import { toIsoMoment } from '../../platform/clock.ts';
import type { LicenceMode } from '../../platform/crypto/licence-key.ts';
import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { ensureCustomer } from '../customers/index.ts';
import { readCatalogue, readPlan, readProduct } from '../products/index.ts';
import { appendEvent } from './audit-log/service.ts';
import { createKey } from './keys/service.ts';
import { assertDistinctFeatures, type Licence } from './rules.ts';
import { announceLicence } from './service.ts';
import { insertLicence } from './store.ts';

export interface IssueRequest {
  email: string;
  /** The slug of the product. Default: the default product. */
  product?: string | undefined;
  tier: string;
  /** Whether the plan may be archived: it was bought before. */
  isArchivedAllowed?: boolean | undefined;
  /** Default: of the plan. */
  sitesAllowed?: number | undefined;
  expiresAt: number;
  mode: LicenceMode;
  /** Default: of the plan. */
  graceDays?: number | undefined;
  /** Default: of the plan. */
  developmentSitesFree?: boolean | undefined;
  notes?: string | undefined;
  /** Names of features beside those of the plan. */
  featuresAdded?: readonly string[] | undefined;
  /** Names of features that the plan has and the licence lacks. */
  featuresRemoved?: readonly string[] | undefined;
  /** The key of a new licence. Default: a random one. */
  toKey?: ((licence: Licence) => string) | undefined;
  isTrial?: boolean | undefined;
  /** What was paid, for the audit log. */
  payment?: { amount: number; currency: string } | undefined;
  /** Where the licence comes from, if it was issued elsewhere. */
  imported?:
    | {
        /** When it was issued there, in epoch milliseconds. Default: now. */
        issuedAt?: number | undefined;
        /** Further details in the audit log. */
        details: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

/** The only place where the key exists in clear. */
export interface IssuedLicence {
  licence: Licence;
  key: string;
  email: string;
}

/**
 * Issues a licence to the customer with this email address, who is created if new.
 * @param actor for the audit log
 */
export function issueLicence(
  platform: Platform,
  request: IssueRequest,
  actor: string,
): Promise<IssuedLicence> {
  return platform.datastore.transaction((trx, announce) =>
    issueLicenceWithin(platform, trx, announce, request, actor),
  );
}

/**
 * `issueLicence` within a transaction.
 * @throws InvalidFieldError for an unknown product, an unknown or archived plan, and a feature that is both added and
 * removed
 */
export async function issueLicenceWithin(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  request: IssueRequest,
  actor: string,
): Promise<IssuedLicence> {
  const { mode, tier, expiresAt, isArchivedAllowed, imported } = request;
  const { featuresAdded = [], featuresRemoved = [] } = request;
  assertDistinctFeatures(featuresAdded, featuresRemoved);
  const product = readProduct(await readCatalogue(trx), request.product);
  const plan = readPlan(product, tier, { isArchivedAllowed });
  const email = normaliseEmail(request.email);
  const now = platform.clock.now();
  const customer = await ensureCustomer(trx, email, now);
  const licence = await insertLicence(trx, {
    public_id: `lic_${randomAlphanumeric(16)}`,
    customer_id: customer.id,
    mode,
    product_id: product.id,
    tier,
    sites_allowed: request.sitesAllowed ?? plan.sitesAllowed,
    grace_days: request.graceDays ?? plan.graceDays,
    development_sites_free: (request.developmentSitesFree ?? plan.developmentSitesFree) ? 1 : 0,
    notes: request.notes ?? '',
    features_added: JSON.stringify(featuresAdded),
    features_removed: JSON.stringify(featuresRemoved),
    issued_at: imported?.issuedAt ?? now,
    expires_at: expiresAt,
    is_trial: request.isTrial ? 1 : 0,
  });
  const key = await createKey(platform, trx, licence, now, request.toKey?.(licence));
  const details = {
    mode,
    product: product.slug,
    tier,
    sites_allowed: licence.sitesAllowed,
    ...(featuresAdded.length > 0 && { features_added: featuresAdded }),
    ...(featuresRemoved.length > 0 && { features_removed: featuresRemoved }),
    expires_at: toIsoMoment(expiresAt),
    ...request.payment,
    ...(request.isTrial && { trial: true }),
    ...imported?.details,
  };
  const action = imported ? 'imported' : 'issued';
  await appendEvent(trx, announce, licence.id, { at: now, actor, action, details });
  await announceLicence(trx, announce, licence.id);
  return { licence, key, email };
}
