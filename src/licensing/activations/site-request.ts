import type { Static } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { assertSameKey, type SiteRequest } from '../licences/index.ts';
import { InvalidSiteUrl, siteKey } from './site-url.ts';

/** A site that speaks for itself, with the licence key it says it has. */
export interface SiteClaim {
  licenceKey: string;
  /** As it was sent. */
  siteUrl: string;
  /** What tells the site from others, see `siteKey`. */
  site: string;
}

/**
 * Reads who asks for what licence.
 * @throws ApiError 400 `invalid_request` if the URL is no site's; 401 if header and body name different keys
 */
export function siteClaim(
  request: FastifyRequest<{ Body: Static<typeof SiteRequest> }>,
): SiteClaim {
  const { licence_key: licenceKey, site_url: siteUrl } = request.body;
  const site = siteKeyOf(siteUrl);
  assertSameKey(request, licenceKey);
  return { licenceKey, siteUrl, site };
}

function siteKeyOf(siteUrl: string): string {
  try {
    return siteKey(siteUrl);
  } catch (error) {
    if (!(error instanceof InvalidSiteUrl)) throw error;
    throw new ApiError(400, 'invalid_request', `site_url ${error.message}.`);
  }
}
