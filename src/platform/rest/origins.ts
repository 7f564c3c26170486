import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors.ts';
import type { RestRoute } from './route.ts';

/** The origins whose pages may call an API, beside its own. */
export interface OriginPolicy {
  /** Returns a promise only if it must read first. */
  isAllowed(origin: string): boolean | Promise<boolean>;
  /** Called for each refused request of another origin; must not wait. */
  reportRefused(origin: string): void;
}

export const OWN_ORIGIN_ONLY: OriginPolicy = { isAllowed: () => false, reportRefused() {} };

/**
 * Reports a page of an origin that is not allowed, and refuses it if a route says so.
 * @param asked the route, or all routes of the path for a preflight request
 * @throws ApiError 403 `rest_forbidden_origin`
 */
export function assertOrigin(
  origins: OriginPolicy,
  headers: IncomingHttpHeaders,
  method: string,
  asked: readonly RestRoute[],
): void {
  const rule = asked.find(({ otherOrigins }) => otherOrigins)?.otherOrigins;
  if (rule === undefined || !isFromOtherOrigin(headers)) return;
  const { origin } = headers;
  if (origin !== undefined) origins.reportRefused(origin);
  if (rule === 'refused' && method !== 'OPTIONS') throw forbiddenOrigin(origin);
}

/**
 * Whether a page of another origin sends a request (Fetch Standard, `Origin`; Fetch Metadata, `Sec-Fetch-Site`). Programs
 * send neither header. Hosts are compared without scheme, which a proxy that terminates TLS hides.
 */
function isFromOtherOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined) return site === 'cross-site';
  return site !== 'same-origin' && URL.parse(origin)?.host !== host?.toLowerCase();
}

const forbiddenOrigin = (origin: string | undefined): ApiError =>
  new ApiError(
    403,
    'rest_forbidden_origin',
    origin === undefined || origin === 'null'
      ? 'This request comes from a page of another site that does not say which. Only pages of allowed origins may send it.'
      : `Pages of ${origin.slice(0, 255)} are not allowed to send this request. To allow them, add ${origin.slice(0, 255)} to the allowed origins in the settings (origins.allowed) or to PAVIS_ALLOWED_ORIGINS.`,
  );
