import { describeConfig } from './config/describe.ts';
import { type Config, mailSettings, storageFolders } from './config/index.ts';
import { VERSION } from './config/version.ts';
import { HOOK_CATALOGUE } from './extensions/catalogue.ts';
import { ExtensionRegistry } from './extensions/registry.ts';
import {
  SecurityLog,
  securityEventWorker,
  securityLog,
  securityLogRoutes,
} from './identity/security-log/index.ts';
import {
  applicationPasswords,
  SignInLimits,
  userLog,
  userRecords,
  userRoutes,
  userSessions,
} from './identity/users/index.ts';
import { accountRoutes } from './licensing/account/index.ts';
import { activationHistory, activationRoutes } from './licensing/activations/index.ts';
import { adminRoutes } from './licensing/admin/index.ts';
import {
  checkoutOrders,
  checkoutRoutes,
  licenceJob,
  purchaseRecords,
} from './licensing/checkout/index.ts';
import { customerRecords } from './licensing/customers/index.ts';
import { licenceFileRoutes } from './licensing/licence-file/index.ts';
import { auditLog, licenceRecords } from './licensing/licences/index.ts';
import { magicLinkRoutes, signInLinks } from './licensing/magic-links/index.ts';
import { validationRoutes } from './licensing/validation/index.ts';
import { createDelivery, mailRecords, mailRoutes, mailSender } from './mail/index.ts';
import { openDsar } from './modules/dsar.ts';
import { StorageWatch } from './operations/storage/index.ts';
import type { PersonalDataDeclaration } from './personal-data/index.ts';
import {
  type OpeningParts,
  openCorePlatform,
  type Platform,
  type PlatformSettings,
  withBulkhead,
} from './platform/deps.ts';
import type { Routes } from './platform/http/error-format.ts';
import { FastPaths } from './platform/http/fast-path.ts';
import type { RestApi } from './platform/rest/rest-api.ts';
import { consentRecords, consentRoutes } from './privacy/consent/index.ts';
import {
  dataMapRoutes,
  describeVendorUse,
  readAskedOfVisitors,
  seedOwnProcessing,
} from './privacy/data-map/index.ts';
import { developerRoutes } from './privacy/developer/index.ts';
import {
  caseDeletions,
  caseRecords,
  type Dsar,
  dsarJobs,
  dsarRoutes,
  erasurePurger,
  packageRecords,
  recordErasure,
  requestLog,
  taskRunner,
} from './privacy/dsar/index.ts';
import { AllowedOrigins, originRoutes } from './privacy/origins/index.ts';
import {
  retentionChanges,
  retentionJob,
  retentionRoutes,
  seedPolicies,
} from './privacy/retention/index.ts';
import {
  createScanner,
  type EngineSettings,
  findingDecisions,
  listScanVendorIds,
  scanFindings,
  scannerRoutes,
} from './privacy/scanner/index.ts';
import { registerExtensionScripts, scriptRoutes } from './privacy/scripts/index.ts';
import { readSettings, SettingsCache, settingsRoutes } from './privacy/settings/index.ts';
import {
  KnownLicence,
  licenceRoutes,
  licenceJob as siteLicenceJob,
} from './privacy/site-licence/index.ts';
import { registerExtensionVendors, seedLibrary, vendorRoutes } from './privacy/vendors/index.ts';

/** Work in the background, on as many nodes as there are. */
export interface BackgroundWork {
  start(): void;
  stop(): Promise<void>;
}

/** What one slice adds to an interface and to the process. */
export interface Module<Api> {
  routes?: (api: Api) => void | Promise<void>;
  /** Called once the server listens, since a free port is known only then. */
  jobs?: () => BackgroundWork[];
  onListen?: () => void;
  onClose?: () => void | Promise<void>;
}

/** A slice of the Licence API. */
export interface LicenceModule extends Module<Routes> {
  /** Pages of customers and shops may call it from a browser; the others take licence keys and are for servers. */
  isForBrowsers?: true;
}

/** The public addresses of the two interfaces and of the site, asked for when needed: a free port is known only after listening. */
export interface Addresses {
  baseUrl: string;
  restRoot: string;
  siteUrl: string;
}

/**
 * The personal data of every slice. Retention and data subject requests know of no other, and a test fails for a text
 * column that is in none of them. Erasure follows this order: records come before those by which their person is found.
 */
export const PERSONAL_DATA: readonly PersonalDataDeclaration[] = [
  consentRecords,
  licenceRecords,
  activationHistory,
  purchaseRecords,
  checkoutOrders,
  signInLinks,
  auditLog,
  customerRecords,
  requestLog,
  caseRecords,
  packageRecords,
  caseDeletions,
  userSessions,
  applicationPasswords,
  userLog,
  securityLog,
  userRecords,
  mailRecords,
  retentionChanges,
  scanFindings,
  findingDecisions,
];

/** What handles data subject requests, with what it needs of other slices. */
export const openDataSubjectRequests = (
  platform: Platform,
  config: Config,
  addresses: () => Pick<Addresses, 'restRoot' | 'siteUrl'>,
): Dsar => openDsar(platform, config, addresses, PERSONAL_DATA);

/** Writes the data that every installation starts with, unless it is there. */
export async function seedDatabase(platform: Platform): Promise<void> {
  await seedLibrary(platform);
  await seedOwnProcessing(platform);
  await seedPolicies(platform, PERSONAL_DATA);
}

/** Opens what every slice may use; the caller closes `datastore`. */
export async function openPlatform(
  settings: PlatformSettings,
  parts: OpeningParts,
): Promise<Platform> {
  const core = await openCorePlatform(settings, { ...parts, documentedHooks: HOOK_CATALOGUE });
  return {
    ...core,
    extensions: new ExtensionRegistry(core.log),
    securityLog: new SecurityLog(core),
  };
}

export type Modules = ReturnType<typeof openModules>;

/**
 * Every slice of the process, once. `apis/` mount the routes, `pavis serve` starts the jobs.
 * @param demoConnections the addresses at which the scanner finds the demo site's third parties
 */
export function openModules(
  config: Config,
  platform: Platform,
  addresses: () => Addresses,
  demoConnections: EngineSettings['connectTo'],
) {
  const { timeZone, rateLimits } = config;
  const servesLicences = config.services.includes('licence');
  const servesPlugin = config.services.includes('plugin');
  const restRoot = () => addresses().restRoot;
  const publicUrl = () => addresses().baseUrl;
  const siteUrl = () => addresses().siteUrl;
  const fastPaths = new FastPaths();
  const signInLimits = new SignInLimits(platform);
  const settings = new SettingsCache({ platform, siteUrl, readAsked: readAskedOfVisitors });
  const allowedOrigins = () => config.allowedOrigins ?? [new URL(siteUrl()).origin];
  const dsar = servesPlugin ? openDataSubjectRequests(platform, config, addresses) : undefined;
  const storage = new StorageWatch(platform, {
    ...config.storage,
    folders: storageFolders(config),
    async sender() {
      const site = await dsar?.site.settings();
      return {
        fromName: site?.mail.from_name ?? '',
        language: site?.consent.languages[0] ?? 'en',
      };
    },
  });

  /** Slices that every process has. */
  const common: Module<never>[] = [
    {
      jobs: () => [mailSender(platform, createDelivery(mailSettings(config, siteUrl())))],
    },
    {
      jobs: () => [
        securityEventWorker(platform, {
          async sender() {
            if (!servesPlugin) return { fromName: '', language: 'en' };
            const { mail, consent } = (await readSettings(platform.datastore.db, siteUrl()))
              .settings;
            return { fromName: mail.from_name, language: consent.languages[0] ?? 'en' };
          },
          timeZone,
          consoleUrl: () => `${new URL(restRoot()).origin}/admin/security-log`,
        }),
      ],
      onClose: () => platform.securityLog.flush(),
    },
    { jobs: () => [storage] },
  ];

  function listLicenceModules(): LicenceModule[] {
    const licences = withBulkhead(platform, 'licences');
    // Validation only reads, and must not wait behind requests that wait for locks.
    const hot = withBulkhead(licences, 'hot');
    const { validatePerMinute, activatePerMinute, magicLinks, checkoutPerMinute } = rateLimits;
    const checkout = { ...config.payments, allowedOrigins, perMinute: checkoutPerMinute };
    return [
      {
        routes: (api) =>
          validationRoutes(api, hot, { publicUrl, perMinute: validatePerMinute, fastPaths }),
      },
      {
        routes: (api) =>
          activationRoutes(api, licences, { publicUrl, perMinute: activatePerMinute }),
      },
      { routes: (api) => licenceFileRoutes(api, licences) },
      {
        isForBrowsers: true,
        routes: (api) => magicLinkRoutes(api, licences, { publicUrl, perAddress: magicLinks }),
      },
      { isForBrowsers: true, routes: (api) => accountRoutes(api, licences) },
      {
        isForBrowsers: true,
        routes: (api) => checkoutRoutes(api, licences, { ...checkout, publicUrl }),
        jobs: () => [licenceJob(platform, { publicUrl, prices: config.payments.prices })],
      },
    ];
  }

  function openPluginModules(requests: NonNullable<typeof dsar>) {
    const origins = new AllowedOrigins(platform, {
      settings,
      configured: allowedOrigins,
      restRoot,
    });
    const scanner = createScanner(platform, {
      ...config.scanner,
      dataDir: config.dataDir,
      version: VERSION,
      connectTo: () => [...config.scanner.connectTo, ...demoConnections()],
      siteUrl,
    });
    const licenceApi = { siteUrl, licenceApiUrl: () => config.licenceApiUrl ?? publicUrl() };
    const siteLicence = new KnownLicence(platform, licenceApi);
    const perMinute = rateLimits.consentPerMinute;
    const retention = { personalData: PERSONAL_DATA, timeZone };
    const list: Module<RestApi>[] = [
      { routes: (api) => consentRoutes(api, platform, { settings, siteUrl, timeZone, perMinute }) },
      { routes: (api) => originRoutes(api, platform, origins), onClose: () => origins.flush() },
      {
        routes: (api) => settingsRoutes(api, settings, () => describeConfig(config, addresses())),
      },
      { routes: (api) => developerRoutes(api, platform) },
      {
        async routes(api) {
          await registerExtensionVendors(platform);
          vendorRoutes(api, platform, settings, [describeVendorUse]);
        },
      },
      {
        async routes(api) {
          await registerExtensionScripts(platform);
          scriptRoutes(api, platform, settings);
        },
      },
      {
        routes: (api) =>
          dataMapRoutes(api, platform, { siteUrl, timeZone, listScanVendorIds, settings }),
      },
      {
        routes: (api) => scannerRoutes(api, platform, scanner, { settings, siteUrl }),
        // Not before the server listens: it may serve the site itself.
        onListen: () => scanner.runs.start(),
        onClose: () => scanner.close(),
      },
      {
        routes: (api) => dsarRoutes(api, requests),
        jobs: () => [taskRunner(requests), ...dsarJobs(requests), erasurePurger(requests)],
      },
      { routes: (api) => mailRoutes(api, platform, { requests: 'dsar/cases/' }) },
      {
        routes: (api) => licenceRoutes(api, platform, licenceApi, siteLicence),
        jobs: () => [siteLicenceJob(platform, licenceApi)],
        onClose: () => siteLicence.close(),
      },
      {
        routes: (api) => retentionRoutes(api, platform, retention),
        jobs: () => [retentionJob(platform, retention)],
      },
      { routes: (api) => userRoutes(api, platform, signInLimits) },
      { routes: (api) => securityLogRoutes(api, platform, { timeZone }) },
    ];
    return { dsar: requests, origins, list };
  }

  const licence = servesLicences ? listLicenceModules() : undefined;
  const plugin = dsar && openPluginModules(dsar);
  const licenceAdmin: Module<RestApi> = {
    routes: (api) =>
      adminRoutes(api, platform, (email, sources) =>
        recordErasure({ platform, site: config }, email, sources),
      ),
  };
  const all: readonly Module<never>[] = [...common, ...(licence ?? []), ...(plugin?.list ?? [])];
  return {
    fastPaths,
    signInLimits,
    storage,
    settings,
    allowedOrigins,
    /** Undefined where this process does not serve the API. */
    licence,
    plugin,
    /** `/console/licences`. */
    console: licence && [licenceAdmin],
    jobs: () => all.flatMap((each) => each.jobs?.() ?? []),
    onListen: () => {
      for (const each of all) each.onListen?.();
    },
    async onClose() {
      for (const each of all) await each.onClose?.();
    },
  };
}
