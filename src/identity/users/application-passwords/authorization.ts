import { InvalidFieldError } from '../../../platform/errors.ts';
import { SCOPE_NAMES, type Scope } from '../../../platform/rest/scopes.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Addresses that never leave the device (RFC 8252, 7.3 and 8.3). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface AuthorizationRequest {
  /** Name of the application; may be empty. */
  appName: string;
  /** UUID of the application; may be empty. */
  appId: string;
  /** What the application asks for; undefined: the user chooses. */
  scopes: readonly Scope[] | undefined;
  /** Receives the application password; undefined: it is shown to the user. */
  success: URL | undefined;
  /** Where the user goes who does not approve; undefined: to the console. */
  reject: URL | undefined;
}

/**
 * Reads the parameters of WordPress' `authorize-application.php`, and the scopes that an application asks for.
 * @param scopes separated by commas; undefined if there is no such parameter
 * @throws InvalidFieldError
 */
export function parseAuthorizationRequest(
  param: (name: string) => string,
  scopes: string | undefined,
): AuthorizationRequest {
  const appId = param('app_id');
  if (appId !== '' && !UUID.test(appId))
    throw new InvalidFieldError('app_id', 'app_id must be a UUID.');
  const success = parseRedirect('success_url', param('success_url'));
  const reject = parseRedirect('reject_url', param('reject_url'));
  return {
    appName: param('app_name').replace(/\p{C}/gu, '').trim().slice(0, 100),
    appId: appId.toLowerCase(),
    scopes: scopes === undefined ? undefined : parseScopes(scopes),
    success,
    reject: reject ?? (success && withParams(success, { success: 'false' })),
  };
}

function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SCOPE_NAMES.some((scope) => scope === name));
  if (unknown === undefined) return SCOPE_NAMES.filter((scope) => names.includes(scope));
  throw new InvalidFieldError(
    'scopes',
    `scopes must be a list of scopes, separated by commas. ${unknown === '' ? 'It is empty' : `“${unknown.slice(0, 60)}” is none`}. These exist: ${SCOPE_NAMES.join(', ')}.`,
  );
}

/** https, or http on this device: an application password must not cross a network in clear. */
function parseRedirect(name: string, text: string): URL | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  const isAllowed = url !== null && (url.protocol === 'https:' || isLocal);
  if (!isAllowed || text.length > 2_048 || url.username !== '' || url.password !== '') {
    throw new InvalidFieldError(
      name,
      `${name} must be an https address without user name and password, or an http address on this device (localhost).`,
    );
  }
  return url;
}

/** The URL that receives the application password, with the parameters of WordPress. */
export const toSuccessUrl = (
  success: URL,
  { siteUrl, login, password }: { siteUrl: string; login: string; password: string },
): URL => withParams(success, { site_url: siteUrl, user_login: login, password });

/** Appended: the last parameter of a name counts, so those that the URL has already cannot replace ours. */
function withParams(base: URL, params: Record<string, string>): URL {
  const url = new URL(base);
  const added = new URLSearchParams(params).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url;
}
