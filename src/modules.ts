import { join } from 'node:path';
import { type Config, mailSettings, storageFolders } from './config/index.ts';
import { securityEventWorker } from './identity/security-log/index.ts';
import { SignInLimits } from './identity/users/index.ts';
import { adminRoutes } from './licensing/admin/index.ts';
import { LicenceGauges } from './licensing/statistics/index.ts';
import { ValidationCounts } from './licensing/validation/index.ts';
import { createDelivery, mailSender } from './mail/index.ts';
import { openDataSubjectRequests } from './modules/dsar.ts';
import { listLicenceModules } from './modules/licence.ts';
import type { Addresses, Module } from './modules/module.ts';
import { openPluginModules } from './modules/plugin.ts';
import { openSignIn } from './modules/sign-in.ts';
import { BACKUPS, DraftRemover, StorageWatch } from './operations/storage/index.ts';
import type { Platform } from './platform/deps.ts';
import { FastPaths } from './platform/http/fast-path.ts';
import type { RestApi } from './platform/rest/rest-api.ts';
import type { BannerBuild } from './privacy/consent/index.ts';
import { readAskedOfVisitors, updateSharedChoicesEntry } from './privacy/data-map/index.ts';
import { recordErasure, wasErased } from './privacy/dsar/index.ts';
import type { EngineSettings } from './privacy/scanner/index.ts';
import { SettingsCache } from './privacy/settings/index.ts';
import { WebhookSender } from './webhooks/index.ts';

export type Modules = ReturnType<typeof openModules>;

/**
 * Every slice of the process. `apis/` mount the routes, `pavis serve` starts the jobs.
 * @param demoConnections the addresses at which the scanner finds the demo site's third parties
 * @param readBanner reads the files of the banner that sites load
 */
export function openModules(
  config: Config,
  platform: Platform,
  addresses: () => Addresses,
  demoConnections: EngineSettings['connectTo'],
  readBanner: () => BannerBuild,
) {
  const servesLicences = config.services.includes('licence');
  const servesPlugin = config.services.includes('plugin');
  const publicUrl = () => addresses().baseUrl;
  const siteUrl = () => addresses().siteUrl;
  const fastPaths = new FastPaths();
  const signInLimits = new SignInLimits(platform);
  const signIn = openSignIn(platform, config, addresses);
  const allowedOrigins = () => config.allowedOrigins ?? [new URL(siteUrl()).origin];
  const settings = new SettingsCache({
    platform,
    siteUrl,
    restRoot: () => addresses().restRoot,
    timeZone: config.timeZone,
    readAsked: readAskedOfVisitors,
    onBannerChange: (trx, announce, { shared_choices: isOn }) =>
      updateSharedChoicesEntry(trx, announce, { isOn, now: platform.clock.now() }),
    listOwnOrigins: () => [new URL(addresses().restRoot).origin, ...allowedOrigins()],
  });

  const folders = storageFolders(config);
  const storage = new StorageWatch(platform, {
    ...config.storage,
    folders,
    sender: signIn.sender,
  });
  const drafts = new DraftRemover([...folders, join(config.dataDir, BACKUPS)], platform.log);

  const webhookSender = new WebhookSender(platform, config.privateWebhooks);

  const validationCounts = new ValidationCounts(platform);

  const common: Module<never>[] = [
    { jobs: () => [mailSender(platform, createDelivery(mailSettings(config, siteUrl())))] },
    {
      jobs: () => [
        securityEventWorker(platform, {
          sender: signIn.sender,
          timeZone: config.timeZone,
          consoleUrl: () => `${addresses().consoleUrl}/security-log`,
        }),
      ],
      onClose: () => platform.securityLog.flush(),
    },
    { jobs: () => [storage, drafts] },
    { jobs: () => [webhookSender] },
  ];
  const licence = servesLicences
    ? listLicenceModules(config, platform, {
        publicUrl,
        allowedOrigins,
        fastPaths,
        validationCounts,
        wasErased: (about) => wasErased({ platform, site: config }, about),
      })
    : undefined;
  const plugin = servesPlugin
    ? openPluginModules(config, platform, {
        addresses,
        allowedOrigins,
        dsar: openDataSubjectRequests(platform, config, addresses),
        settings,
        signInLimits,
        signIn,
        demoConnections,
        readBanner,
      })
    : undefined;
  const licenceAdmin = (api: RestApi) =>
    adminRoutes(api, platform, {
      recordErasure: (email, sources) => recordErasure({ platform, site: config }, email, sources),
      releases: config.releases,
    });
  const all: readonly Module<never>[] = [...common, ...(licence ?? []), ...(plugin?.list ?? [])];
  return {
    fastPaths,
    signInLimits,
    signIn,
    storage,
    webhookSender,
    validationCounts,
    /** For `/metrics`. */
    licenceMetrics: servesLicences ? [validationCounts, new LicenceGauges(platform)] : [],
    settings,
    allowedOrigins,
    /** Undefined if this process does not serve the API. */
    licence,
    plugin,
    /** The routes below `/console/licences`. */
    licenceAdmin: licence && licenceAdmin,
    jobs: () => all.flatMap((each) => each.jobs?.() ?? []),
    onListen: () => {
      for (const each of all) each.onListen?.();
    },
    async onClose() {
      // At once: a database that does not respond holds up each of them.
      await Promise.all(all.map((each) => each.onClose?.()));
    },
  };
}
