import { consoleApi, consoleErrorFormats } from './apis/console.ts';
import { openDsar } from './apis/dsar.ts';
import { createLicenceErrorFormat, licenceApi } from './apis/licence.ts';
import { createPluginErrorFormat, pluginApi } from './apis/plugin.ts';
import { describeConfig } from './config/describe.ts';
import { type Config, storageFolders } from './config/index.ts';
import { VERSION } from './config/version.ts';
import { serveDemo, thirdPartyUrl } from './demo/site.ts';
import { listDemoConnections } from './demo/third-parties.ts';
import { serveBanner } from './frontends/banner.ts';
import { serveClientPackage } from './frontends/client-package.ts';
import { serveConsole } from './frontends/console.ts';
import { serveStartPage } from './frontends/start-page.ts';
import { authorizePage } from './identity/authorize-application/index.ts';
import { SignInLimits } from './identity/users/index.ts';
import { listOffers } from './licensing/checkout/index.ts';
import { portalPages } from './licensing/portal/index.ts';
import { PERSONAL_DATA } from './modules.ts';
import { StorageWatch } from './operations/storage/index.ts';
import { serveDocs } from './platform/api-docs/docs.ts';
import { type Platform, withBulkhead } from './platform/deps.ts';
import { Connections } from './platform/http/connections.ts';
import type { Routes } from './platform/http/error-format.ts';
import { FastPaths } from './platform/http/fast-path.ts';
import { FastPathLog } from './platform/http/fast-path-log.ts';
import {
  createGracefulShutdown,
  type GracefulShutdown,
} from './platform/http/graceful-shutdown.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { Pipelining } from './platform/http/pipelining.ts';
import { serveProbes } from './platform/http/probes.ts';
import { readClient, withClient } from './platform/http/request-client.ts';
import { createServer } from './platform/http/server.ts';
import { sendTransportSecurity } from './platform/http/transport-security.ts';
import { toRestUrl } from './platform/rest/rest-url.ts';
import { readAskedOfVisitors } from './privacy/data-map/index.ts';
import { noteErasure, privacyPages } from './privacy/dsar/index.ts';
import { SettingsInForce } from './privacy/settings/index.ts';

export interface App {
  server: Routes;
  shutdown: GracefulShutdown;
  /** To be started with the work in the background. */
  storage: StorageWatch;
}

/** The public addresses of the two interfaces and of the site; asked when needed, since a free port is known only after listening. */
export interface Addresses {
  baseUrl: string;
  restRoot: string;
  siteUrl: string;
}

/**
 * OPEN THIS FIRST. Everything that answers HTTP, in order: what watches every request, then the two
 * interfaces, each with its own prefix and its own shape of error, then the addresses beside them.
 * @param isStarted whether what a start makes is there, so that `/readyz` may answer 200
 */
export async function buildApp(
  config: Config,
  platform: Platform,
  addresses: () => Addresses,
  isStarted: () => boolean = () => true,
): Promise<App> {
  const licencePrefix = pathPrefix(addresses().baseUrl);
  const pluginPrefix = pathPrefix(addresses().restRoot);

  const isSecure = () => new URL(publicUrlOf(config, addresses())).protocol === 'https:';
  const fastPaths = new FastPaths();
  const scopes = [
    createLicenceErrorFormat(licencePrefix),
    createPluginErrorFormat(pluginPrefix),
    ...consoleErrorFormats,
  ] as const;
  const connections = new Connections(config.connections, platform.trustedProxies, platform.log);
  const pipelining = new Pipelining(() => connections.countClosed('pipelining'));
  const server = createServer(
    scopes,
    platform.log,
    fastPaths,
    connections,
    pipelining,
    (request) =>
      (config.demo && thirdPartyUrl(request)) || toRestUrl(request.url ?? '/', pluginPrefix),
  );
  const fastPathLog = new FastPathLog(platform.log);
  fastPaths.observe(({ method, path }, status, ms, id) =>
    fastPathLog.observe(method, path, status, ms, id),
  );
  server.addHook('onClose', () => fastPathLog.flush());
  const shutdown = createGracefulShutdown(server, fastPaths, pipelining);
  server.addHook('preHandler', ({ raw }, _reply, done) => {
    withClient(() => readClient(raw, platform.trustedProxies), done);
  });
  server.addHook('onClose', () => platform.securityLog.flush());
  if (config.hstsSeconds !== undefined) sendTransportSecurity(server, config.hstsSeconds);
  const servesPlugin = config.services.includes('plugin');
  const dsar = servesPlugin ? openDsar(platform, config, addresses) : undefined;
  const storage = new StorageWatch(platform, {
    ...config.storage,
    folders: storageFolders(config),
    async sender() {
      const settings = await dsar?.site.settings();
      return {
        fromName: settings?.mail.from_name ?? '',
        language: settings?.consent.languages[0] ?? 'en',
      };
    },
  });
  const { counters } = platform.securityLog;
  const shown = [connections, counters, storage];
  serveMetrics(server, fastPaths, { token: config.metricsToken, counters, shown });
  serveProbes(server, platform.datastore, { isStarted, isShuttingDown: shutdown.isShuttingDown });

  const signInLimits = new SignInLimits(platform);
  const allowedOrigins = () => config.allowedOrigins ?? [new URL(addresses().siteUrl).origin];
  const settings = new SettingsInForce({
    platform,
    siteUrl: () => addresses().siteUrl,
    readAsked: readAskedOfVisitors,
  });
  if (config.services.includes('licence')) {
    await server.register(
      (routes: Routes) =>
        licenceApi(routes, withBulkhead(platform, 'licences'), {
          publicUrl: () => addresses().baseUrl,
          rateLimits: config.rateLimits,
          storage,
          checkout: {
            ...config.payments,
            allowedOrigins,
            perMinute: config.rateLimits.checkoutPerMinute,
          },
          async isAllowedOrigin(origin) {
            if (allowedOrigins().includes(origin)) return true;
            if (!servesPlugin) return false;
            const read = await settings.read().catch(() => undefined);
            return read?.settings.origins.allowed.includes(origin) ?? false;
          },
          fastPaths,
        }),
      { prefix: licencePrefix },
    );
    portalPages(server, platform, {
      prefix: licencePrefix,
      isSecure,
      sold: listOffers(config.payments),
      provider: config.payments.stripe ? 'stripe' : 'test',
    });
  }
  if (dsar) {
    await server.register(
      (routes: Routes) =>
        pluginApi(routes, platform, {
          restRoot: () => addresses().restRoot,
          scope: scopes[1],
          siteUrl: () => addresses().siteUrl,
          licenceApiUrl: () => config.licenceApiUrl ?? addresses().baseUrl,
          timeZone: config.timeZone,
          wordpressUrl: config.wordpressUrl,
          isSecure,
          signInLimits,
          consentPerMinute: config.rateLimits.consentPerMinute,
          dsar,
          settings,
          personalData: PERSONAL_DATA,
          allowedOrigins,
          environment: () => describeConfig(config, addresses()),
          scanner: {
            ...config.scanner,
            dataDir: config.dataDir,
            version: VERSION,
            connectTo: () => [
              ...config.scanner.connectTo,
              ...listDemoConnections(config, addresses().siteUrl),
            ],
          },
          fastPaths,
        }),
      { prefix: pluginPrefix },
    );
    privacyPages(server, dsar);
    // A root that is not set is here, by whatever name this process is called.
    serveBanner(server, config.restRoot ?? pluginPrefix);
    serveConsole(server, { rest: pluginPrefix, licence: licencePrefix });
  }
  serveClientPackage(server);
  const documented = {
    licence: `${licencePrefix}/openapi.json`,
    plugin: `${pluginPrefix}/svc/v1/openapi.json`,
  };
  serveDocs(
    server,
    config.services.map((name) => ({ name, document: documented[name] })),
  );
  if (servesPlugin)
    authorizePage(server, platform, {
      restRoot: () => addresses().restRoot,
      isSecure,
      signInLimits,
    });
  consoleApi(server, platform, {
    publicUrl: () => addresses().baseUrl,
    isSecure,
    signInLimits,
    hasLicences: config.services.includes('licence'),
    fastPaths,
    recordErasure: (email, sources) => noteErasure({ platform, site: config }, email, sources),
  });
  serveStartPage(
    server,
    scopes,
    {
      admin: servesPlugin,
      demo: config.demo,
      privacy: servesPlugin,
      account: config.services.includes('licence'),
    },
    servesPlugin ? () => addresses().restRoot : undefined,
  );
  if (config.demo) serveDemo(server, pluginPrefix);
  return { server, shutdown, storage };
}

/** Where browsers find the pages beside the interfaces. */
const publicUrlOf = ({ services }: Config, { baseUrl, restRoot }: Addresses): string =>
  services.includes('licence') ? baseUrl : restRoot;

/** The path of a public address: the prefix of every route of its interface. */
const pathPrefix = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
