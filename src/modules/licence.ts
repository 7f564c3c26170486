import type { Config } from '../config/index.ts';
import { accountRoutes } from '../licensing/account/index.ts';
import { activationRoutes } from '../licensing/activations/index.ts';
import { adminApiRoutes } from '../licensing/admin-api/index.ts';
import {
  checkoutRoutes,
  createRenewalCheck,
  getTrialMode,
  licenceJob,
  type WasErased,
} from '../licensing/checkout/index.ts';
import { clientFileRoutes } from '../licensing/client-file/index.ts';
import { exchangeRoutes } from '../licensing/imports/index.ts';
import { licenceLeaseRoutes } from '../licensing/licence-leases/index.ts';
import { magicLinkRoutes } from '../licensing/magic-links/index.ts';
import { releaseRoutes } from '../licensing/releases/index.ts';
import { signingKeyRoutes } from '../licensing/signing-keys/index.ts';
import { trialJob, trialRoutes } from '../licensing/trials/index.ts';
import { type ValidationCounts, validationRoutes } from '../licensing/validation/index.ts';
import { type Platform, withBulkhead } from '../platform/deps.ts';
import type { FastPaths } from '../platform/http/fast-path.ts';
import type { LicenceModule } from './module.ts';

interface Scope {
  publicUrl: () => string;
  allowedOrigins: () => readonly string[];
  fastPaths: FastPaths;
  validationCounts: ValidationCounts;
  wasErased: WasErased;
}

/** The slices of the Licence API. */
export function listLicenceModules(
  { payments, rateLimits, licenceExpiringDays: expiringDays, leaseDays }: Config,
  platform: Platform,
  { publicUrl, allowedOrigins, fastPaths, validationCounts: counts, wasErased }: Scope,
): LicenceModule[] {
  const licences = withBulkhead(platform, 'licences');
  // Validation only reads, and must not wait behind requests that wait for locks.
  const hot = withBulkhead(licences, 'hot');
  const { validatePerMinute, activatePerMinute, magicLinks, checkoutPerMinute } = rateLimits;
  const admin = { perMinute: rateLimits.adminPerMinute };
  const checkout = { ...payments, publicUrl, allowedOrigins, perMinute: checkoutPerMinute };
  const validation = { publicUrl, perMinute: validatePerMinute, fastPaths, counts };
  const activation = { publicUrl, perMinute: activatePerMinute };
  const exchange = { publicUrl, perMinute: validatePerMinute };
  const canRenew = createRenewalCheck(payments);
  const trial = { publicUrl, perAddress: magicLinks, mode: getTrialMode(checkout), canRenew };
  const { stripe, prices } = payments;
  const daily = { publicUrl, canRenew, prices, stripe, wasErased, expiringDays };
  const lease = { publicUrl, perMinute: validatePerMinute, maxDays: leaseDays };
  return [
    {
      routes: (api) => validationRoutes(api, hot, validation),
      jobs: () => [counts],
      onClose: () => counts.close(),
    },
    { routes: (api) => activationRoutes(api, licences, activation) },
    { routes: (api) => releaseRoutes(api, licences, activation) },
    { routes: (api) => licenceLeaseRoutes(api, hot, lease) },
    { routes: (api) => signingKeyRoutes(api, hot) },
    { routes: (api) => clientFileRoutes(api, hot, publicUrl) },
    { routes: (api) => exchangeRoutes(api, licences, exchange) },
    { routes: (api) => adminApiRoutes(api, licences, admin) },
    {
      isForBrowsers: true,
      routes: (api) => magicLinkRoutes(api, licences, { publicUrl, perAddress: magicLinks }),
    },
    { isForBrowsers: true, routes: (api) => accountRoutes(api, licences, publicUrl) },
    {
      isForBrowsers: true,
      routes: (api) => trialRoutes(api, licences, trial),
      jobs: () => [trialJob(platform)],
    },
    {
      isForBrowsers: true,
      routes: (api) => checkoutRoutes(api, licences, checkout),
      jobs: () => [licenceJob(platform, daily)],
    },
  ];
}
