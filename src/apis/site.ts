import type { Config } from '../config/index.ts';
import type { Provider } from '../identity/single-sign-on/index.ts';
import {
  createAuthenticate,
  recordMissingScope,
  recordRejectedCredential,
} from '../identity/users/index.ts';
import type { Addresses } from '../modules/module.ts';
import type { Modules } from '../modules.ts';
import type { Platform } from '../platform/deps.ts';
import type { FindCountry } from '../platform/http/client-country.ts';
import type { ErrorFormat } from '../platform/http/error-format.ts';
import { toApiError } from '../platform/http/errors.ts';
import type { RestApiOptions } from '../platform/rest/options.ts';
import { RestApi } from '../platform/rest/rest-api.ts';

/** What the APIs and pages of a process share. */
export interface Site {
  config: Config;
  platform: Platform;
  addresses: () => Addresses;
  modules: Modules;
  /** With which users sign in; undefined without `PAVIS_OIDC_ISSUER`. */
  provider: Provider | undefined;
  findCountry: FindCountry | undefined;
  licencePrefix: string;
  pluginPrefix: string;
  /** Whether browsers reach the console over HTTPS. */
  isSecure: () => boolean;
}

/** A REST API for the users of this installation. */
export function createRestApi(
  { config, platform, modules, isSecure }: Site,
  format: ErrorFormat,
  options: Omit<
    RestApiOptions,
    | 'authenticate'
    | 'consolePath'
    | 'reportRefused'
    | 'reportMissingScope'
    | 'toApiError'
    | 'timeZone'
    | 'now'
  > &
    Partial<Pick<RestApiOptions, 'authenticate'>>,
): RestApi {
  return new RestApi({
    consolePath: '/admin/',
    timeZone: config.timeZone,
    now: () => platform.clock.now(),
    authenticate: createAuthenticate(modules.signIn, isSecure),
    reportRefused: (headers, caller) =>
      recordRejectedCredential(platform, { headers, caller, isSecure }),
    reportMissingScope: (user, scope) => recordMissingScope(platform, user, scope),
    toApiError: (error) => toApiError(error, format),
    ...options,
  });
}
