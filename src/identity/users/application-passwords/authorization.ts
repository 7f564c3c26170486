import { CliError } from '../../../platform/errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Addresses that never leave the device (RFC 8252, 7.3 and 8.3). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What a program asks for, as in WordPress' `authorize-application.php`. */
export interface AuthorizationRequest {
  /** The name the program gives itself; empty if it gives none. */
  appName: string;
  /** Of the program; the same for all application passwords it asks for. Empty if it gives none. */
  appId: string;
  /** Where the application password goes; undefined: it is shown. */
  success: URL | undefined;
  /** Where a refusal leads; undefined: to the console. */
  reject: URL | undefined;
}

/**
 * Reads the parameters of WordPress' `authorize-application.php`.
 * @throws CliError that names the parameter that cannot be
 */
export function parseAuthorizationRequest(param: (name: string) => string): AuthorizationRequest {
  const appId = param('app_id');
  if (appId !== '' && !UUID.test(appId)) throw new CliError('app_id must be a UUID.', 2);
  const success = parseRedirect('success_url', param('success_url'));
  const reject = parseRedirect('reject_url', param('reject_url'));
  return {
    appName: param('app_name').replace(/\p{C}/gu, '').trim().slice(0, 100),
    appId: appId.toLowerCase(),
    success,
    reject: reject ?? (success && withParams(success, { success: 'false' })),
  };
}

/** https, or http on this device: an application password must not cross a network in clear. */
function parseRedirect(name: string, text: string): URL | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  const isAllowed = url !== null && (url.protocol === 'https:' || isLocal);
  if (!isAllowed || text.length > 2_048 || url.username !== '' || url.password !== '') {
    throw new CliError(
      `${name} must be an https address without user name and password, or an http address on this device (localhost).`,
      2,
    );
  }
  return url;
}

/** Where an application password is handed over, in the parameters of WordPress. */
export const toSuccessUrl = (
  success: URL,
  { siteUrl, login, password }: { siteUrl: string; login: string; password: string },
): URL => withParams(success, { site_url: siteUrl, user_login: login, password });

/** The last of a name counts, so what an address has already cannot pass for ours. */
function withParams(base: URL, params: Record<string, string>): URL {
  const url = new URL(base);
  const added = new URLSearchParams(params).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url;
}
