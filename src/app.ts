import { join } from 'node:path';
import { consoleApi, consoleErrorFormats } from './apis/console.ts';
import { createLicenceErrorFormat, licenceApi } from './apis/licence.ts';
import { createPluginErrorFormat, pluginApi } from './apis/plugin.ts';
import { type Config, storageFolders } from './config/index.ts';
import { VERSION } from './config/version.ts';
import { serveDemo, thirdPartyUrl } from './demo/site.ts';
import { listDemoConnections } from './demo/third-parties.ts';
import { serveBanner } from './frontends/banner.ts';
import { serveClientPackage } from './frontends/client-package.ts';
import { serveConsole } from './frontends/console.ts';
import { serveStartPage } from './frontends/start-page.ts';
import { authorizePage } from './identity/authorize-application/index.ts';
import { listOffers } from './licensing/checkout/index.ts';
import { portalPages } from './licensing/portal/index.ts';
import type { Addresses } from './modules/module.ts';
import { type Modules, openModules } from './modules.ts';
import { serveDocs } from './platform/api-docs/docs.ts';
import { type Platform, withBulkhead } from './platform/deps.ts';
import { isLoopback } from './platform/http/client-address.ts';
import { Connections } from './platform/http/connections.ts';
import type { ErrorFormat, ErrorFormats, Routes } from './platform/http/error-format.ts';
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
import { privacyPages } from './privacy/dsar/index.ts';

export interface App {
  server: Routes;
  shutdown: GracefulShutdown;
  modules: Modules;
}

/**
 * Everything that answers HTTP: what watches every request, the two APIs, the console's own, the web pages.
 * @param isStarted whether first-start data is there, so that `/readyz` may answer 200
 */
export async function buildApp(
  config: Config,
  platform: Platform,
  addresses: () => Addresses,
  isStarted: () => boolean = () => true,
): Promise<App> {
  const modules = openModules(config, platform, addresses, () =>
    listDemoConnections(config, addresses().siteUrl),
  );
  const site: Site = {
    config,
    platform,
    addresses,
    modules,
    licencePrefix: toPathPrefix(addresses().baseUrl),
    pluginPrefix: toPathPrefix(addresses().restRoot),
    isSecure: () => new URL(getPublicUrl(config, addresses())).protocol === 'https:',
  };
  const formats = [
    createLicenceErrorFormat(site.licencePrefix),
    createPluginErrorFormat(site.pluginPrefix),
    ...consoleErrorFormats,
  ] as const;
  const { server, shutdown } = openServer(site, formats, isStarted);
  server.addHook('onListen', async () => modules.onListen());
  server.addHook('onClose', () => modules.onClose());
  await addLicenceApi(server, site);
  await addPluginApi(server, site, formats[1]);
  addConsoleApi(server, site);
  addWebPages(server, site, formats);
  return { server, shutdown, modules };
}

/** What the parts of the app share. */
interface Site {
  config: Config;
  platform: Platform;
  addresses: () => Addresses;
  modules: Modules;
  licencePrefix: string;
  pluginPrefix: string;
  /** Whether browsers reach the server over HTTPS. */
  isSecure: () => boolean;
}

/** The server with what concerns every request: limits, logs, metrics, probes and graceful shutdown. */
function openServer(
  { config, platform, modules, pluginPrefix }: Site,
  formats: ErrorFormats,
  isStarted: () => boolean,
) {
  const { fastPaths, storage } = modules;
  const { log, trustedProxies, datastore, securityLog } = platform;
  const connections = new Connections(config.connections, trustedProxies, log);
  const pipelining = new Pipelining(() => connections.countClosed('pipelining'));
  const server = createServer(
    formats,
    log,
    fastPaths,
    connections,
    pipelining,
    (request) =>
      (config.demo && thirdPartyUrl(request)) || toRestUrl(request.url ?? '/', pluginPrefix),
  );
  const fastPathLog = new FastPathLog(log);
  fastPaths.observe(({ method, path }, status, ms, id) =>
    fastPathLog.observe(method, path, status, ms, id),
  );
  server.addHook('onClose', () => fastPathLog.flush());
  const shutdown = createGracefulShutdown(server, fastPaths, pipelining);
  server.addHook('preHandler', ({ raw }, _reply, done) => {
    withClient(() => readClient(raw, trustedProxies), done);
  });
  if (config.hstsSeconds !== undefined) sendTransportSecurity(server, config.hstsSeconds);
  const { counters } = securityLog;
  const shown = [connections, counters, storage];
  serveMetrics(server, fastPaths, { token: config.metricsToken, counters, shown });
  serveProbes(server, datastore, { isStarted, isShuttingDown: shutdown.isShuttingDown });
  return { server, shutdown };
}

async function addLicenceApi(
  server: Routes,
  { config, platform, addresses, modules, licencePrefix, isSecure }: Site,
): Promise<void> {
  const { licence, plugin, storage, settings, allowedOrigins } = modules;
  if (!licence) return;
  await server.register(
    (routes: Routes) =>
      licenceApi(routes, withBulkhead(platform, 'licences'), {
        publicUrl: () => addresses().baseUrl,
        modules: licence,
        storage,
        async isAllowedOrigin(origin) {
          if (allowedOrigins().includes(origin)) return true;
          if (!plugin) return false;
          const read = await settings.read().catch(() => undefined);
          return read?.settings.origins.allowed.includes(origin) ?? false;
        },
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

async function addPluginApi(
  server: Routes,
  { config, platform, addresses, modules, pluginPrefix, isSecure }: Site,
  format: ErrorFormat,
): Promise<void> {
  const { plugin, fastPaths } = modules;
  if (!plugin) return;
  await server.register(
    (routes: Routes) =>
      pluginApi(routes, platform, {
        restRoot: () => addresses().restRoot,
        format,
        modules: plugin.list,
        origins: plugin.origins,
        fastPaths,
        wordpressUrl: config.wordpressUrl,
        isSecure,
      }),
    { prefix: pluginPrefix },
  );
  privacyPages(server, plugin.dsar);
}

function addConsoleApi(
  server: Routes,
  { config, platform, addresses, modules, isSecure }: Site,
): void {
  const { signInLimits, fastPaths } = modules;
  if (modules.plugin) {
    const restRoot = () => addresses().restRoot;
    authorizePage(server, platform, { restRoot, isSecure, signInLimits });
  }
  consoleApi(server, platform, {
    publicUrl: () => addresses().baseUrl,
    isSecure,
    signInLimits,
    modules: modules.console,
    fastPaths,
    operations: {
      version: VERSION,
      folders: storageFolders(config),
      isMailSent: config.mail.smtpUrl !== undefined,
      alerts: () => modules.storage.alerts,
    },
  });
}

/** The built front-ends, the API docs and the demo site. */
function addWebPages(
  server: Routes,
  { config, addresses, modules, licencePrefix, pluginPrefix }: Site,
  formats: ErrorFormats,
): void {
  const hasPlugin = modules.plugin !== undefined;
  const hasLicences = modules.licence !== undefined;
  if (hasPlugin) {
    // Without PAVIS_REST_ROOT the banner calls the server by the name under which it was loaded.
    serveBanner(server, config.restRoot ?? pluginPrefix);
    serveConsole(server, { rest: pluginPrefix, licence: licencePrefix });
  }
  serveClientPackage(server);
  const documents = {
    licence: `${licencePrefix}/openapi.json`,
    plugin: `${pluginPrefix}/svc/v1/openapi.json`,
  };
  serveDocs(
    server,
    config.services.map((name) => ({ name, document: documents[name] })),
  );
  serveStartPage(server, formats, {
    has: {
      admin: hasPlugin,
      demo: config.demo,
      privacy: hasPlugin,
      account: hasLicences,
      setup: hasPlugin && !config.demo,
    },
    restRoot: hasPlugin ? () => addresses().restRoot : undefined,
    firstRunFile:
      config.production || !isLoopback(config.host)
        ? undefined
        : join(config.dataDir, 'first-run.json'),
  });
  if (config.demo) serveDemo(server, pluginPrefix);
}

/** Where browsers find the pages beside the APIs. */
const getPublicUrl = ({ services }: Config, { baseUrl, restRoot }: Addresses): string =>
  services.includes('licence') ? baseUrl : restRoot;

/** The path of a public address: the prefix of every route of its API. */
const toPathPrefix = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
