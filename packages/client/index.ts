import { Client } from './client.ts';
import { KEYED_ROUTES as LICENCE_KEYED_ROUTES, type LicenceApi } from './licence-api.ts';
import { KEYED_ROUTES as PLUGIN_KEYED_ROUTES, type PluginApi } from './plugin-api.ts';

export type { Client } from './client.ts';
export { PavisError, PavisUnreachable } from './errors.ts';
/** The schemas of the two OpenAPI documents as types, for example `PluginSchemas.Vendor`. */
export type * as LicenceSchemas from './licence-api.ts';
export type * as PluginSchemas from './plugin-api.ts';
export type { LicenceApi, PluginApi };

type Shared = Pick<
  ConstructorParameters<typeof Client>[0],
  'headers' | 'timeoutMs' | 'credentials'
>;

/** A client of the Licence API. */
export function licenceClient({
  baseUrl,
  licenceKey,
  token,
  headers,
  ...rest
}: Shared & {
  baseUrl: string;
  /** For what a site asks. */
  licenceKey?: string;
  /** A token of a signed-in customer, or an API token. */
  token?: string;
}): Client<LicenceApi> {
  return new Client<LicenceApi>({
    ...rest,
    url: baseUrl,
    keyedRoutes: LICENCE_KEYED_ROUTES,
    headers: () => ({
      ...(licenceKey !== undefined && { 'x-licence-key': licenceKey }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers?.(),
    }),
  });
}

/** A client of the plugin REST API. Without credentials it may call what is public. */
export function pluginClient({
  restRoot,
  login,
  nonce,
  headers,
  ...rest
}: Shared & {
  restRoot: string;
  /** For programs. */
  login?: { user: string; applicationPassword: string };
  /** For scripts on the same domain, beside the session's cookie. */
  nonce?: string;
}): Client<PluginApi> {
  return new Client<PluginApi>({
    ...rest,
    url: `${restRoot.replace(/\/+$/, '')}/svc/v1`,
    keyedRoutes: PLUGIN_KEYED_ROUTES,
    headers: () => ({
      ...(login && { authorization: `Basic ${base64(login)}` }),
      ...(nonce !== undefined && { 'x-wp-nonce': nonce }),
      ...headers?.(),
    }),
  });
}

function base64({ user, applicationPassword }: { user: string; applicationPassword: string }) {
  const bytes = new TextEncoder().encode(`${user}:${applicationPassword}`);
  return btoa(String.fromCharCode(...bytes));
}
