import { describeConfig } from '../config/describe.ts';
import type { Config } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { securityLogRoutes } from '../identity/security-log/index.ts';
import { type SignInLimits, type SignInScope, userRoutes } from '../identity/users/index.ts';
import { mailRoutes } from '../mail/index.ts';
import type { Platform } from '../platform/deps.ts';
import { readEmail } from '../platform/email-address.ts';
import type { RestApi } from '../platform/rest/rest-api.ts';
import {
  type BannerBuild,
  BannerConfigurations,
  bannerPictureJob,
  consentRecords,
  consentRoutes,
  sharedChoicesJob,
  visitorIndexMerger,
} from '../privacy/consent/index.ts';
import {
  auditHeadsJob,
  bundleRoutes,
  createConsentLog,
  logRoutes,
  proofRoutes,
  receiptRoutes,
  verificationRoutes,
} from '../privacy/consent-log/index.ts';
import { dataMapRoutes, describeVendorUse } from '../privacy/data-map/index.ts';
import { createDeclarations, declarationRoutes } from '../privacy/declaration/index.ts';
import { developerRoutes } from '../privacy/developer/index.ts';
import {
  type Dsar,
  dsarJobs,
  dsarRoutes,
  erasurePurger,
  taskRunner,
} from '../privacy/dsar/index.ts';
import { AllowedOrigins, originRoutes } from '../privacy/origins/index.ts';
import { regimeRoutes } from '../privacy/regimes/index.ts';
import { retentionJob, retentionRoutes } from '../privacy/retention/index.ts';
import {
  createScanner,
  type EngineSettings,
  listScanVendorIds,
  scannerRoutes,
  scanScheduleJob,
} from '../privacy/scanner/index.ts';
import { registerExtensionScripts, scriptRoutes } from '../privacy/scripts/index.ts';
import {
  readSettings,
  type SettingsCache,
  type SiteSettings,
  settingsRoutes,
} from '../privacy/settings/index.ts';
import {
  KnownLicence,
  licenceRoutes,
  licenceJob as siteLicenceJob,
} from '../privacy/site-licence/index.ts';
import {
  createVendorFinder,
  registerExtensionVendors,
  vendorRoutes,
} from '../privacy/vendors/index.ts';
import { webhookRoutes } from '../webhooks/index.ts';
import type { Addresses, Module } from './module.ts';
import { PERSONAL_DATA } from './personal-data.ts';
import { createReceiptScope } from './receipts.ts';
import { toSender } from './sign-in.ts';

/** The logs of which the consent log has daily hashes, with columns that retention leaves as they are. */
const AUDIT_LOGS = [
  { table: 'licence_events', columns: ['licence_id', 'action'] },
  { table: 'user_events', columns: ['action'] },
  { table: 'security_events', columns: ['event'] },
];

interface Scope {
  addresses: () => Addresses;
  allowedOrigins: () => readonly string[];
  dsar: Dsar;
  settings: SettingsCache;
  signInLimits: SignInLimits;
  signIn: SignInScope;
  demoConnections: EngineSettings['connectTo'];
  readBanner: () => BannerBuild;
}

/** The slices of the plugin API. */
export function openPluginModules(
  config: Config,
  platform: Platform,
  {
    addresses,
    allowedOrigins,
    dsar,
    settings,
    signInLimits,
    signIn,
    demoConnections,
    readBanner,
  }: Scope,
) {
  const { timeZone } = config;
  const siteUrl = () => addresses().siteUrl;
  const origins = new AllowedOrigins(platform, {
    settings,
    configured: allowedOrigins,
    restRoot: () => addresses().restRoot,
  });
  const scanner = createScanner(platform, {
    ...config.scanner,
    dataDir: config.dataDir,
    version: VERSION,
    connectTo: () => [...config.scanner.connectTo, ...demoConnections()],
    addresses,
    siteUrl,
  });
  const licenceApi = {
    siteUrl,
    licenceApiUrl: () => config.licenceApiUrl ?? addresses().baseUrl,
  };
  const siteLicence = new KnownLicence(platform, licenceApi);
  const consent = { settings, siteUrl, timeZone, perMinute: config.rateLimits.consentPerMinute };
  const browser = { chromium: config.scanner.chromium, dataDir: config.dataDir };
  const dataMap = { siteUrl, timeZone, listScanVendorIds, settings };
  const schedule = { settings, siteUrl, timeZone };
  const retention = { personalData: PERSONAL_DATA, timeZone };
  const declarations = createDeclarations({
    platform,
    settings: () => settings.read(),
    siteUrl,
    timeZone,
  });
  const consentLog = createConsentLog(platform, {
    // Threads have one connection each, which needs no pooler.
    databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
    dataDir: config.dataDir,
    siteUrl,
    declaration: consentRecords,
    privateWitnesses: config.privateWitnesses,
    readWitnesses: async () => (await settings.read()).settings.consent_log.witnesses,
    readMailbox: async () => toLogMailbox((await settings.read()).settings),
  });
  const receipts = { ...createReceiptScope(platform, addresses), log: consentLog.log };
  const list: Module<RestApi>[] = [
    {
      routes: (api) => consentRoutes(api, platform, consent),
      jobs: () => [
        bannerPictureJob(platform, { settings, browser, readBanner }),
        sharedChoicesJob(platform),
        ...(platform.datastore.engine === 'sqlite' ? [visitorIndexMerger(platform)] : []),
      ],
    },
    {
      routes(api) {
        logRoutes(api, {
          ...consentLog,
          isPublic: async () => (await settings.read()).settings.consent_log.public,
        });
        verificationRoutes(api, platform, consentLog.verifications);
        proofRoutes(api, platform, consentLog);
      },
      jobs: consentLog.jobs,
      onClose: () => consentLog.close(),
    },
    {
      routes(api) {
        receiptRoutes(api, platform, receipts);
        bundleRoutes(api, platform, { ...receipts, timeZone });
      },
    },
    {
      routes: (api) =>
        regimeRoutes(api, platform, {
          timeZone,
          readRegimeSettings: async () => (await settings.read()).settings.consent.regimes,
        }),
    },
    { routes: (api) => originRoutes(api, platform, origins), onClose: () => origins.flush() },
    {
      routes: (api) =>
        settingsRoutes(
          api,
          settings,
          () => describeConfig(config, addresses()),
          createVendorFinder,
        ),
    },
    { routes: (api) => developerRoutes(api, platform) },
    {
      async routes(api) {
        const { restRoot } = addresses();
        await registerExtensionVendors(
          platform,
          await readSettings(platform.datastore.db, restRoot),
        );
        vendorRoutes(api, platform, settings, [describeVendorUse]);
      },
    },
    {
      async routes(api) {
        await registerExtensionScripts(platform);
        scriptRoutes(api, platform, settings);
      },
    },
    { routes: (api) => dataMapRoutes(api, platform, dataMap) },
    { routes: (api) => declarationRoutes(api, declarations) },
    {
      routes: (api) => scannerRoutes(api, platform, scanner, { ...schedule, version: VERSION }),
      jobs: () => [scanScheduleJob(platform, scanner.runs, schedule)],
      // Not earlier: this process may serve the site.
      onListen: () => scanner.runs.start(),
      onClose: () => scanner.close(),
    },
    {
      routes: (api) => dsarRoutes(api, dsar),
      jobs: () => [taskRunner(dsar), ...dsarJobs(dsar), erasurePurger(dsar)],
    },
    { routes: (api) => mailRoutes(api, platform, { requests: 'dsar/cases/' }) },
    {
      routes: (api) => webhookRoutes(api, platform, { allowsPrivate: config.privateWebhooks }),
    },
    {
      routes: (api) => licenceRoutes(api, platform, licenceApi, siteLicence),
      jobs: () => [siteLicenceJob(platform, licenceApi)],
      onClose: () => siteLicence.close(),
    },
    {
      routes: (api) => retentionRoutes(api, platform, retention),
      jobs: () => [retentionJob(platform, retention)],
    },
    { routes: (api) => userRoutes(api, signIn, signInLimits) },
    { routes: (api) => securityLogRoutes(api, platform, { timeZone }) },
    { jobs: () => [auditHeadsJob(platform, AUDIT_LOGS)] },
  ];
  const banner = new BannerConfigurations(platform, settings, {
    listOrigins: () => origins.list(),
    timeZone,
  });
  return { dsar, origins, declarations, banner, consentLog, list };
}

/** The data protection officer, or without one the controller, gets the checkpoints of the consent log. */
function toLogMailbox(settings: SiteSettings) {
  const { consent_log, controller } = settings;
  const to = readEmail(controller.dpo_email) ?? readEmail(controller.email);
  if (to === undefined || !consent_log.mail_checkpoint) return undefined;
  return { to, ...toSender(settings) };
}
