import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { OneOf, Text } from '../../platform/http/schemas.ts';
import { parseSiteUrl } from '../activations/index.ts';
import {
  assertSameKey,
  EXAMPLE_KEY,
  isLicenceKey,
  KEY_HEADER,
  missingKey,
} from '../licences/index.ts';
import type { LinkLifetime } from './download-links.ts';
import { CHANNELS, type Channel, VERSION_MAX_LENGTH } from './rules.ts';

const Version = (description: string) =>
  Type.Optional(Type.String({ maxLength: VERSION_MAX_LENGTH, description }));

export const UpdateQuery = Type.Object(
  {
    licence_key: Type.Optional(
      Text(256, {
        description:
          'The licence key, for updaters that cannot send the `x-licence-key` header. Proxies log URLs, so prefer the header.',
      }),
    ),
    site_url: Text(URL_MAX_LENGTH, {
      description: 'The activated site: an http or https URL.',
      examples: ['https://shop.example'],
    }),
    version: Version('The version that the site has.'),
    installed_version: Version('The same, as plugin-update-checker sends it.'),
    channel: Type.Optional(
      OneOf(CHANNELS, { description: '`beta` gets stable releases too.', default: 'stable' }),
    ),
    php: Version('The PHP version of the site. Releases that need a higher one are not offered.'),
    wp: Version('The WordPress version of the site, likewise.'),
    link: Type.Optional(
      OneOf(['short', 'cached'], {
        description:
          'How long the link is valid: `short` for 15 minutes, `cached` for 13 hours, for updaters that keep the answer as WordPress and plugin-update-checker do.',
        default: 'short',
      }),
    ),
  },
  { title: 'UpdateQuery', examples: [{ site_url: 'https://shop.example', version: '2.4.1' }] },
);

/** What the updater class of Easy Digital Downloads sends as a form. It sends other fields, too. */
export const EddForm = Type.Object(
  {
    edd_action: OneOf(['get_version']),
    license: Text(256, { description: 'The licence key.', examples: [EXAMPLE_KEY] }),
    url: Text(URL_MAX_LENGTH, {
      description: 'The activated site.',
      examples: ['https://shop.example'],
    }),
    version: Version('The version that the site has.'),
    beta: Version('`1` for beta releases.'),
    php_version: Version('The PHP version of the site.'),
    wp_version: Version('The WordPress version of the site.'),
  },
  {
    title: 'EddVersionRequest',
    additionalProperties: true,
    examples: [{ edd_action: 'get_version', license: EXAMPLE_KEY, url: 'https://shop.example' }],
  },
);

/** A site that asks for updates. */
export interface UpdateRequest {
  licenceKey: string;
  site: string;
  installed: string | undefined;
  channel: Channel;
  php: string | undefined;
  wp: string | undefined;
  link: LinkLifetime;
}

/** @throws DomainError `unauthorised` without a key, or with different ones in header and query */
export function readKey(request: FastifyRequest, key: string | undefined): string {
  const header = request.headers[KEY_HEADER];
  const found = header ?? key;
  if (typeof found !== 'string' || !isLicenceKey(found)) throw missingKey();
  if (header !== undefined && key !== undefined) assertSameKey(request, key);
  return found;
}

/** @throws DomainError `invalid_request` for an invalid URL; `unauthorised` */
export function readUpdateQuery(
  request: FastifyRequest<{ Querystring: Static<typeof UpdateQuery> }>,
): UpdateRequest {
  const { licence_key, site_url, version, installed_version, channel, php, wp, link } =
    request.query;
  return {
    licenceKey: readKey(request, licence_key),
    site: parseSiteUrl(site_url),
    installed: version ?? installed_version,
    channel: channel ?? 'stable',
    php,
    wp,
    link: link ?? 'short',
  };
}

/** The updater keeps the answer for 3 hours, and WordPress for 12. @throws as `readUpdateQuery` */
export function readEddForm(
  request: FastifyRequest<{ Body: Static<typeof EddForm> }>,
): UpdateRequest {
  const { license, url, version, beta, php_version, wp_version } = request.body;
  return {
    licenceKey: readKey(request, license),
    site: parseSiteUrl(url),
    installed: version,
    channel: beta === '1' || beta === 'true' ? 'beta' : 'stable',
    php: php_version,
    wp: wp_version,
    link: 'cached',
  };
}
