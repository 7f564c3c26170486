import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { DomainError } from '../../platform/errors.ts';
import { assertSameKey, isLicenceKey, type SiteRequest } from '../licences/index.ts';
import { InvalidSiteUrl, toSiteKey } from './site-url.ts';

/** The site and licence key of a request to the Licence API. */
export interface SiteCredentials {
  licenceKey: string;
  /** As it was sent. */
  siteUrl: string;
  /** See `toSiteKey`. */
  site: string;
}

/** @throws DomainError `invalid_request` for an invalid URL; `unauthorised` if header and body have different keys */
export function readSiteCredentials(
  request: FastifyRequest<{ Body: Static<typeof SiteRequest> }>,
): SiteCredentials {
  const { licence_key: licenceKey, site_url: siteUrl } = request.body;
  const site = parseSiteUrl(siteUrl);
  assertSameKey(request, licenceKey);
  return { licenceKey, siteUrl, site };
}

/**
 * The same for the fast path, from the key header and the raw body. Undefined for requests that are not plainly
 * valid; `readSiteCredentials` says what is wrong with them.
 */
export function parseSiteCredentials(key: unknown, body: string): SiteCredentials | undefined {
  if (typeof key !== 'string' || !isLicenceKey(key)) return undefined;
  try {
    const fields = JSON.parse(body);
    const { licence_key: licenceKey, site_url: siteUrl } = fields;
    const isValid =
      licenceKey === key && typeof siteUrl === 'string' && Object.keys(fields).length === 2;
    return isValid ? { licenceKey, siteUrl, site: toSiteKey(siteUrl) } : undefined;
  } catch {
    return undefined;
  }
}

function parseSiteUrl(siteUrl: string): string {
  try {
    return toSiteKey(siteUrl);
  } catch (error) {
    if (!(error instanceof InvalidSiteUrl)) throw error;
    throw new DomainError('invalid', 'invalid_request', `site_url ${error.message}.`);
  }
}
