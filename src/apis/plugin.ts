import { AUTHORIZE_PATH } from '../identity/authorize-application/index.ts';
import { createAuthenticate } from '../identity/users/index.ts';
import { createAuthorizationUrl, withWordPress } from '../identity/wordpress/index.ts';
import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import { serveOpenApi } from '../platform/http/openapi.ts';
import { noRoute, restErrorBody } from '../platform/rest/errors.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { openApiDocument } from '../platform/rest/openapi.ts';
import { TAGS } from './plugin-tags.ts';
import { createRestApi, type Site } from './site.ts';

const NAMESPACE = 'svc/v1';
/** The version of the contract. */
const INTERFACE_VERSION = '1.9.0';

const CODES: Record<number, string> = {
  400: 'rest_invalid_request',
  413: 'rest_body_too_large',
  415: 'rest_unsupported_media_type',
  503: 'service_unavailable',
};

/** WordPress core's error format: 404 for an unknown path and a wrong method alike. */
export const createPluginErrorFormat = (prefix: string): ErrorFormat => ({
  prefix,
  formatError: restErrorBody,
  getCode: (status) =>
    CODES[status] ?? (status < 500 ? 'rest_invalid_request' : 'internal_server_error'),
  createRouteError: noRoute,
});

export async function pluginApi(routes: Routes, site: Site, format: ErrorFormat): Promise<void> {
  const { config, platform, modules, isSecure } = site;
  if (!modules.plugin) return;
  const { list, origins } = modules.plugin;
  const { wordpressUrl } = config;
  const restRoot = () => site.addresses().restRoot;
  const wordPress = wordpressUrl && { restRoot: wordpressUrl, publicUrl: restRoot };
  const api = createRestApi(site, format, {
    namespace: NAMESPACE,
    name: 'Pavis plugin REST API',
    description:
      'Privacy compliance for a site, by the conventions of the WordPress REST API. The schemas describe whole responses: with `_fields`, a response has only the fields that are named, and with `_envelope` it is the `body` of an object that also has `status` and `headers`.',
    version: INTERFACE_VERSION,
    restRoot,
    origins,
    ...(wordPress
      ? {
          authorizationUrl: createAuthorizationUrl(
            wordPress,
            config.restRoot ?? wordPress.restRoot,
            platform,
          ),
          authenticate: withWordPress(
            createAuthenticate(modules.signIn, isSecure),
            wordPress,
            platform,
          ),
        }
      : { authorizationUrl: () => new URL(AUTHORIZE_PATH, restRoot()).href }),
  });
  for (const module of list) await module.routes?.(api);
  serveOpenApi(routes, `/${NAMESPACE}/openapi.json`, () =>
    openApiDocument({ ...api.options, version: INTERFACE_VERSION, tags: TAGS }, api.routes),
  );
  const { findCountry } = site;
  mountRestApi(routes, api, { ...platform, fastPaths: modules.fastPaths, findCountry });
}
