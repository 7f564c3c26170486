import { AUTHORIZE_PATH } from '../identity/authorize-application/index.ts';
import { createAuthenticate, recordRejectedCredential } from '../identity/users/index.ts';
import { toAuthorizationUrl, withWordPress } from '../identity/wordpress/index.ts';
import type { Module } from '../modules/module.ts';
import type { Platform } from '../platform/deps.ts';
import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import { toApiError } from '../platform/http/errors.ts';
import type { FastPaths } from '../platform/http/fast-path.ts';
import { serveOpenApi } from '../platform/http/openapi.ts';
import { noRoute, restErrorBody } from '../platform/rest/errors.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { openApiDocument } from '../platform/rest/openapi.ts';
import type { OriginPolicy } from '../platform/rest/origins.ts';
import { RestApi } from '../platform/rest/rest-api.ts';
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

export interface PluginApiSettings {
  restRoot: () => string;
  format: ErrorFormat;
  modules: readonly Module<RestApi>[];
  /** Which origins' pages may call. */
  origins: OriginPolicy;
  fastPaths: FastPaths;
  /** The REST root of a WordPress whose administrators may sign in here. */
  wordpressUrl: string | undefined;
  /** Whether browsers reach the server over HTTPS. */
  isSecure: () => boolean;
}

/** Every route of the plugin REST API. */
export async function pluginApi(
  routes: Routes,
  platform: Platform,
  { restRoot, format, modules, origins, fastPaths, wordpressUrl, isSecure }: PluginApiSettings,
): Promise<void> {
  const own = createAuthenticate(platform, isSecure);
  const wordPress = wordpressUrl && { restRoot: wordpressUrl, publicUrl: restRoot };
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
    toApiError: (error) => toApiError(error, format),
  });

  for (const module of modules) await module.routes?.(api);

  serveOpenApi(routes, `/${NAMESPACE}/openapi.json`, () =>
    openApiDocument({ ...api.options, version: INTERFACE_VERSION, tags: TAGS }, api.routes),
  );
  const { trustedProxies, log } = platform;
  mountRestApi(routes, api, { fastPaths, trustedProxies, log });
}
