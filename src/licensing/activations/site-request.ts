import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { DomainError } from '../../platform/errors.ts';
import { assertSameKey, isLicenceKey, type SiteRequest } from '../licences/index.ts';
import { InvalidSiteUrl, toSiteKey } from './site-url.ts';

/** A site that speaks for itself, with the licence key it says it has. */
export interface SiteCredentials {
  licenceKey: string;
  /** As it was sent. */
  siteUrl: string;
  /** What tells the site from others, see `siteKey`. */
  site: string;
}

/**
 * Reads who asks for what licence.
 * @throws DomainError `invalid_request` if the URL is no site's; 401 if header and body name different keys
 */
export function readSiteCredentials(
  request: FastifyRequest<{ Body: Static<typeof SiteRequest> }>,
): SiteCredentials {
  const { licence_key: licenceKey, site_url: siteUrl } = request.body;
  const site = siteKeyOf(siteUrl);
  assertSameKey(request, licenceKey);
  return { licenceKey, siteUrl, site };
}

/**
 * The same, read from the key header and the raw body of a request that is in perfect order; undefined for any other,
 * about which `siteClaim` then says what is wrong.
 */
export function parseSiteCredentials(key: unknown, body: string): SiteCredentials | undefined {
  if (typeof key !== 'string' || !isLicenceKey(key)) return undefined;
  try {
    const fields = JSON.parse(body);
    const { licence_key: licenceKey, site_url: siteUrl } = fields;
    const inOrder =
      licenceKey === key && typeof siteUrl === 'string' && Object.keys(fields).length === 2;
    return inOrder ? { licenceKey, siteUrl, site: toSiteKey(siteUrl) } : undefined;
  } catch {
    return undefined;
  }
}

function siteKeyOf(siteUrl: string): string {
  try {
    return toSiteKey(siteUrl);
  } catch (error) {
    if (!(error instanceof InvalidSiteUrl)) throw error;
    throw new DomainError('invalid', 'invalid_request', `site_url ${error.message}.`);
  }
}
