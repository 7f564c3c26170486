import { join } from 'node:path';
import { consoleApi, consoleErrorFormats } from './apis/console.ts';
import { createLicenceErrorFormat, licenceApi } from './apis/licence.ts';
import { createPluginErrorFormat, pluginApi } from './apis/plugin.ts';
import type { Site } from './apis/site.ts';
import type { Config } from './config/index.ts';
import { listDemoConnections } from './demo/installation.ts';
import { serveDemo, thirdPartyUrl } from './demo/site.ts';
import { readBanner, serveBanner } from './frontends/banner.ts';
import { serveClientPackage } from './frontends/client-package.ts';
import { serveConsole } from './frontends/console.ts';
import { serveDeclarationScript } from './frontends/declaration.ts';
import { serveDocs } from './frontends/docs/site.ts';
import { serveReceiptVerifier } from './frontends/receipt-verifier.ts';
import { serveSecurityTxt } from './frontends/security-txt.ts';
import { serveStartPage } from './frontends/start-page.ts';
import { authorizePage } from './identity/authorize-application/index.ts';
import { Provider } from './identity/single-sign-on/index.ts';
import { toAdminUrl } from './licensing/admin-api/index.ts';
import { portalPages } from './licensing/portal/index.ts';
import type { Addresses } from './modules/module.ts';
import { type Modules, openModules } from './modules.ts';
import { type Platform, withBulkhead } from './platform/deps.ts';
import { isLoopback } from './platform/http/client-address.ts';
import { openCountryFinder } from './platform/http/client-country.ts';
import { Connections } from './platform/http/connections.ts';
import type { ErrorFormats, Routes } from './platform/http/error-format.ts';
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
import { declarationPage } from './privacy/declaration/index.ts';
import { privacyPages } from './privacy/dsar/index.ts';

export interface App {
  server: Routes;
  shutdown: GracefulShutdown;
  modules: Modules;
}

/**
 * The HTTP server with the APIs and the web pages.
 * @param isStarted whether first-start data is written, so that `/readyz` may answer 200
 */
export async function buildApp(
  config: Config,
  platform: Platform,
  addresses: () => Addresses,
  isStarted: () => boolean = () => true,
): Promise<App> {
  const modules = openModules(
    config,
    platform,
    addresses,
    () => listDemoConnections(config, addresses().siteUrl),
    readBanner,
  );
  const site: Site = {
    config,
    platform,
    findCountry: await openCountryFinder(config.country, platform.trustedProxies),
    addresses,
    modules,
    provider:
      config.singleSignOn && new Provider(config.singleSignOn, () => platform.clock.monotonic()),
    licencePrefix: toPathPrefix(addresses().baseUrl),
    pluginPrefix: toPathPrefix(addresses().restRoot),
    isSecure: () => isHttps(addresses().consoleUrl),
  };
  const pluginFormat = createPluginErrorFormat(site.pluginPrefix);
  const formats: ErrorFormats = [
    createLicenceErrorFormat(
      site.licencePrefix,
      modules.licence
        ? `${site.licencePrefix}/openapi.json`
        : `${site.pluginPrefix}/svc/v1/openapi.json`,
    ),
    pluginFormat,
    ...consoleErrorFormats,
  ];
  const { server, shutdown } = openServer(site, formats, isStarted);
  server.addHook('onListen', async () => modules.onListen());
  server.addHook('onClose', () => modules.onClose());

  const { licence } = modules;
  if (licence) {
    const licenceSite = { ...site, platform: withBulkhead(platform, 'licences') };
    await server.register((routes: Routes) => licenceApi(routes, licenceSite, licence), {
      prefix: site.licencePrefix,
    });
    portalPages(server, platform, {
      prefix: site.licencePrefix,
      isSecure: () => isHttps(addresses().baseUrl),
      payments: config.payments,
    });
  }
  if (modules.plugin) {
    await server.register((routes: Routes) => pluginApi(routes, site, pluginFormat), {
      prefix: site.pluginPrefix,
    });
    privacyPages(server, modules.plugin.dsar);
    declarationPage(server, modules.plugin.declarations);
    const { isSecure } = site;
    const { signInLimits, signIn: signInScope } = modules;
    const restRoot = () => addresses().restRoot;
    authorizePage(server, platform, { restRoot, isSecure, signInLimits, signInScope });
  }
  consoleApi(server, site);
  serveFrontends(server, site, formats);
  return { server, shutdown, modules };
}

const isHttps = (url: string): boolean => new URL(url).protocol === 'https:';

/** The path of a public URL: the prefix of its API. */
const toPathPrefix = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');

/** The server with what concerns every request: limits, logs, metrics, probes and graceful shutdown. */
function openServer(
  { config, platform, modules, licencePrefix, pluginPrefix }: Site,
  formats: ErrorFormats,
  isStarted: () => boolean,
) {
  const { fastPaths, storage, webhookSender, licenceMetrics } = modules;
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
      (config.demo && thirdPartyUrl(request)) ||
      (modules.licence && toAdminUrl(request, licencePrefix)) ||
      toRestUrl(request.url ?? '/', pluginPrefix),
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
  const shown = [connections, counters, storage, webhookSender.counters, ...licenceMetrics];
  serveMetrics(server, fastPaths, { token: config.metricsToken, counters, shown });
  serveProbes(server, datastore, { isStarted, isShuttingDown: shutdown.isShuttingDown });
  return { server, shutdown };
}

/** Where this process is, without an address at which WordPress answers and passes on only the API. */
function listPublicUrls(
  { services, wordpressUrl }: Config,
  { baseUrl, restRoot }: Addresses,
): string[] {
  const urls = [
    ...(services.includes('licence') ? [baseUrl] : []),
    ...(services.includes('plugin') ? [restRoot] : []),
  ];
  const wordpress = wordpressUrl && new URL(wordpressUrl).origin;
  return urls.filter((url) => new URL(url).origin !== wordpress);
}

/** The built front-ends, the documentation and the demo site. */
function serveFrontends(
  server: Routes,
  { config, platform, addresses, modules, findCountry, licencePrefix, pluginPrefix }: Site,
  formats: ErrorFormats,
): void {
  const { plugin } = modules;
  const hasPlugin = plugin !== undefined;
  if (plugin) {
    // Without PAVIS_REST_ROOT the banner calls the origin from which it was loaded.
    serveBanner(server, config.restRoot ?? pluginPrefix, plugin.banner, findCountry);
    serveDeclarationScript(server, config.restRoot ?? pluginPrefix);
    serveReceiptVerifier(server);
    // Without PAVIS_BASE_URL the Licence API is at the origin of the console.
    const roots = { rest: pluginPrefix, licence: config.baseUrl ?? licencePrefix };
    serveConsole(server, roots, () => plugin.origins.listKnown());
  }
  serveClientPackage(server);
  serveSecurityTxt(server, platform, {
    contacts: config.securityContacts,
    urls: () => listPublicUrls(config, addresses()),
  });
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
      account: modules.licence !== undefined,
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
