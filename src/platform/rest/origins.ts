import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from './errors.ts';

/** The origins whose pages may call an API, beside the one that the API itself has. */
export interface OriginPolicy {
  /** A promise where the answer has to be read first. */
  isAllowed(origin: string): boolean | Promise<boolean>;
  /** Called for each request that a page of an origin was refused; must not wait. */
  reportRefused(origin: string): void;
}

/** For an API that only pages of its own origin call. */
export const OWN_ORIGIN_ONLY: OriginPolicy = { isAllowed: () => false, reportRefused() {} };

/**
 * Whether a page of another origin sends a request, as browsers say (Fetch Standard, `Origin` header;
 * Fetch Metadata, `Sec-Fetch-Site`). Programs that are no browsers send neither header. The host is
 * compared without the scheme, which a proxy that ends TLS hides from us.
 */
export function isFromOtherOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined) return site === 'cross-site';
  return site !== 'same-origin' && URL.parse(origin)?.host !== host?.toLowerCase();
}

/** @param origin as the request named it; undefined if it named none */
export const forbiddenOrigin = (origin: string | undefined): RestError =>
  new RestError(
    403,
    'rest_forbidden_origin',
    origin === undefined || origin === 'null'
      ? 'This request comes from a page of another site that does not say which. Only pages of allowed origins may send it.'
      : `Pages of ${origin.slice(0, 255)} are not allowed to send this request. To allow them, add ${origin.slice(0, 255)} to the allowed origins in the settings (origins.allowed) or to PAVIS_ALLOWED_ORIGINS.`,
  );
