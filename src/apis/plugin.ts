import { AUTHORIZE_PATH } from '../identity/authorize-application/index.ts';
import { securityLogRoutes } from '../identity/security-log/index.ts';
import {
  createAuthenticate,
  recordRejectedCredential,
  type SignInLimits,
  userRoutes,
} from '../identity/users/index.ts';
import { toAuthorizationUrl, withWordPress } from '../identity/wordpress/index.ts';
import { mailRoutes } from '../mail/index.ts';
import type { Platform } from '../platform/deps.ts';
import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import { toApiError } from '../platform/http/errors.ts';
import type { FastPaths } from '../platform/http/fast-path.ts';
import { serveOpenApi } from '../platform/http/openapi.ts';
import { noRoute, restErrorBody } from '../platform/rest/errors.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { openApiDocument } from '../platform/rest/openapi.ts';
import { RestApi } from '../platform/rest/rest-api.ts';
import { consentRoutes } from '../privacy/consent/index.ts';
import { dataMapRoutes, vendorInDataMap } from '../privacy/data-map/index.ts';
import { developerRoutes } from '../privacy/developer/index.ts';
import { type Dsar, dsarRoutes } from '../privacy/dsar/index.ts';
import { AllowedOrigins, originRoutes } from '../privacy/origins/index.ts';
import { type RetentionScope, retentionRoutes } from '../privacy/retention/index.ts';
import {
  createScanner,
  type EngineSettings,
  listScanVendorIds,
  scannerRoutes,
} from '../privacy/scanner/index.ts';
import { scriptRoutes, takeExtensionScripts } from '../privacy/scripts/index.ts';
import {
  type Environment,
  type SettingsInForce,
  settingsRoutes,
} from '../privacy/settings/index.ts';
import { KnownLicence, type LicenceScope, licenceRoutes } from '../privacy/site-licence/index.ts';
import { registerExtensionVendors, vendorRoutes } from '../privacy/vendors/index.ts';
import { TAGS } from './plugin-tags.ts';

const NAMESPACE = 'svc/v1';
/** The version of the interface that this one follows (contract, "Versioning"). */
const INTERFACE_VERSION = '1.9.0';

const CODES: Record<number, string> = {
  400: 'rest_invalid_request',
  413: 'rest_body_too_large',
  415: 'rest_unsupported_media_type',
  503: 'service_unavailable',
};

/** The plugin REST API: errors as WordPress core shapes them, and 404 for an unknown path and a wrong method alike. */
export const createPluginErrorFormat = (prefix: string): ErrorFormat => ({
  prefix,
  formatError: restErrorBody,
  getCode: (status) =>
    CODES[status] ?? (status < 500 ? 'rest_invalid_request' : 'internal_server_error'),
  createRouteError: noRoute,
});

export interface PluginApiSettings extends RetentionScope, LicenceScope {
  restRoot: () => string;
  scope: ErrorFormat;
  dsar: Dsar;
  settings: SettingsInForce;
  /** Origins whose pages may call, beside those of the settings. */
  allowedOrigins: () => readonly string[];
  /** The settings of the environment, by variable, secrets masked. */
  environment: Environment;
  scanner: EngineSettings;
  fastPaths: FastPaths;
  /** The REST root of a WordPress whose administrators are ours too. */
  wordpressUrl: string | undefined;
  /** Whether browsers find us over https. */
  isSecure: () => boolean;
  signInLimits: SignInLimits;
  /** Consents of one public address; undefined for no limit. */
  consentPerMinute: number | undefined;
}

/** Every route of the plugin REST API. */
export async function pluginApi(
  routes: Routes,
  platform: Platform,
  {
    restRoot,
    scope,
    siteUrl,
    licenceApiUrl,
    timeZone,
    personalData,
    dsar,
    settings,
    allowedOrigins,
    environment,
    scanner: engine,
    fastPaths,
    wordpressUrl,
    isSecure,
    signInLimits,
    consentPerMinute,
  }: PluginApiSettings,
): Promise<void> {
  const own = createAuthenticate(platform, isSecure);
  const wordPress = wordpressUrl && { restRoot: wordpressUrl, publicUrl: restRoot };
  const origins = new AllowedOrigins(platform, {
    settings,
    configured: allowedOrigins,
    restRoot,
  });
  routes.addHook('onClose', () => origins.flush());
  const api = new RestApi({
    namespace: NAMESPACE,
    name: 'Pavis plugin REST API',
    description:
      'Privacy compliance for a site, by the conventions of the WordPress REST API. The schemas describe whole responses: with `_fields`, a response has only the fields that are named, and with `_envelope` it is the `body` of an object that also has `status` and `headers`.',
    restRoot,
    authorizationUrl: () =>
      wordpressUrl === undefined
        ? new URL(AUTHORIZE_PATH, restRoot()).href
        : toAuthorizationUrl(wordpressUrl),
    origins,
    authenticate: wordPress ? withWordPress(own, wordPress, platform) : own,
    reportRefused: (headers, caller) =>
      recordRejectedCredential(platform, { headers, caller, isSecure }),
    toApiError: (error) => toApiError(error, scope),
  });

  await registerExtensionVendors(platform);
  await takeExtensionScripts(platform);
  consentRoutes(api, platform, { settings, siteUrl, timeZone, perMinute: consentPerMinute });
  originRoutes(api, platform, origins);
  settingsRoutes(api, settings, environment);
  developerRoutes(api, platform);
  vendorRoutes(api, platform, settings, [vendorInDataMap]);
  scriptRoutes(api, platform, settings);
  dataMapRoutes(api, platform, { siteUrl, timeZone, listScanVendorIds, settings });
  const scanner = createScanner(platform, { ...engine, siteUrl });
  // Not before somebody answers: the site may be this process itself.
  routes.addHook('onListen', async () => scanner.runs.start());
  routes.addHook('onClose', () => scanner.close());
  scannerRoutes(api, platform, scanner, { settings, siteUrl });
  dsarRoutes(api, dsar);
  mailRoutes(api, platform, { requests: 'dsar/cases/' });
  const licenceScope = { siteUrl, licenceApiUrl };
  const knownLicence = new KnownLicence(platform, licenceScope);
  routes.addHook('onClose', () => knownLicence.close());
  licenceRoutes(api, platform, licenceScope, knownLicence);
  retentionRoutes(api, platform, { personalData, timeZone });
  userRoutes(api, platform, signInLimits);
  securityLogRoutes(api, platform, { timeZone });

  serveOpenApi(routes, `/${NAMESPACE}/openapi.json`, () =>
    openApiDocument({ ...api.options, version: INTERFACE_VERSION, tags: TAGS }, api.routes),
  );
  const { trustedProxies, log } = platform;
  mountRestApi(routes, api, { fastPaths, trustedProxies, log });
}
