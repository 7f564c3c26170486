import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { DomainError } from '../../platform/errors.ts';
import { assertSameKey, isLicenceKey, type SiteRequest } from '../licences/index.ts';
import { InvalidSiteUrl, toSiteKey } from './site-url.ts';

/** The site and licence key of a request to the Licence API. */
export interface SiteCredentials {
  licenceKey: string;
  /** In the spelling of the request. */
  siteUrl: string;
  /** See `toSiteKey`. */
  site: string;
  /** The slug of the product that the key must be of. */
  product: string | undefined;
}

/** @throws DomainError `invalid_request` for an invalid URL; `unauthorised` if header and body have different keys */
export function readSiteCredentials(
  request: FastifyRequest<{ Body: Static<typeof SiteRequest> }>,
): SiteCredentials {
  const { licence_key: licenceKey, site_url: siteUrl, product } = request.body;
  const site = parseSiteUrl(siteUrl);
  assertSameKey(request, licenceKey);
  return { licenceKey, siteUrl, site, product };
}

/**
 * The same for the fast path, from the key header and the raw body. Undefined for requests that are not plainly
 * valid; `readSiteCredentials` says what is wrong with them.
 */
export function parseSiteCredentials(key: unknown, body: string): SiteCredentials | undefined {
  if (typeof key !== 'string' || !isLicenceKey(key)) return undefined;
  try {
    const fields = JSON.parse(body);
    const { licence_key: licenceKey, site_url: siteUrl, product } = fields;
    const isProductValid = product === undefined || typeof product === 'string';
    const isValid =
      licenceKey === key &&
      typeof siteUrl === 'string' &&
      isProductValid &&
      Object.keys(fields).length === (product === undefined ? 2 : 3);
    return isValid ? { licenceKey, siteUrl, site: toSiteKey(siteUrl), product } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @returns the key of the site, see `toSiteKey`
 * @throws DomainError `invalid_request` for an invalid URL
 */
export function parseSiteUrl(siteUrl: string): string {
  try {
    return toSiteKey(siteUrl);
  } catch (error) {
    if (!(error instanceof InvalidSiteUrl)) throw error;
    throw new DomainError('invalid', 'invalid_request', `site_url ${error.message}.`);
  }
}
