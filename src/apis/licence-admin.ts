import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { OWN_ORIGIN_ONLY } from '../platform/rest/origins.ts';
import { createRestApi, type Site } from './site.ts';

/** `/console/licences`: by the conventions of the plugin API, for our own administrators. */
export function licenceAdminApi(server: Routes, site: Site, format: ErrorFormat): void {
  const { platform, modules, addresses } = site;
  const { console: list, fastPaths } = modules;
  if (!list) return;
  const api = createRestApi(site, format, {
    namespace: 'licences',
    name: 'Pavis licence administration',
    description: 'Licences, for the staff of the vendor.',
    isUnlisted: true,
    restRoot: () => `${new URL(addresses().baseUrl).origin}${format.prefix}`,
    origins: OWN_ORIGIN_ONLY,
  });
  server.register(
    async (routes: Routes) => {
      for (const module of list) await module.routes?.(api);
      mountRestApi(routes, api, { ...platform, fastPaths });
    },
    { prefix: format.prefix },
  );
}
