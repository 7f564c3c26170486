import { createAuthenticate, recordMissingScope } from '../identity/users/index.ts';
import type { Platform } from '../platform/deps.ts';
import { ApiError } from '../platform/errors.ts';
import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import type { Authenticate } from '../platform/rest/caller.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { OWN_ORIGIN_ONLY } from '../platform/rest/origins.ts';
import { createRestApi, type Site } from './site.ts';

/** `/console/licences`: by the conventions of the plugin API, for our own administrators. */
export function licenceAdminApi(server: Routes, site: Site, format: ErrorFormat): void {
  const { platform, modules, addresses, isSecure } = site;
  const { licenceAdmin, fastPaths } = modules;
  if (!licenceAdmin) return;
  const api = createRestApi(site, format, {
    namespace: 'licences',
    name: 'Pavis licence administration',
    description: 'Licences, for the staff of the vendor.',
    isUnlisted: true,
    restRoot: () => `${new URL(addresses().baseUrl).origin}${format.prefix}`,
    origins: OWN_ORIGIN_ONLY,
    authenticate: refuseLimited(createAuthenticate(modules.signIn, isSecure), platform),
  });
  server.register(
    async (routes: Routes) => {
      licenceAdmin(api);
      mountRestApi(routes, api, { ...platform, fastPaths });
    },
    { prefix: format.prefix },
  );
}

/** Scopes are for the plugin API. Programs that administer licences use API tokens, which have scopes of their own. */
const refuseLimited =
  (authenticate: Authenticate, platform: Platform): Authenticate =>
  async (credentials) => {
    const caller = await authenticate(credentials);
    if (caller.user?.scopes === undefined) return caller;
    recordMissingScope(platform, caller.user, undefined);
    const message =
      'This application password is limited to scopes of the plugin API. Use an API token to manage licences.';
    throw new ApiError(403, 'rest_forbidden', message);
  };
