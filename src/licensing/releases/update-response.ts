import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { type Html, html } from '../../platform/html.ts';
import { describeResponse, Moment, nullable, OneOf } from '../../platform/http/schemas.ts';
import { toRenewalUrl } from '../licences/index.ts';
import { createDownloadToken, LINK_MS, type LinkLifetime } from './download-links.ts';
import { CHANNELS, isNewer, type Release, sortReleases } from './rules.ts';
import type { UpdateOffer } from './updates.ts';

/** Releases whose changes an answer lists. */
const CHANGELOGS_MAX = 10;

const Address = (description: string) => Type.String({ description });

/**
 * One answer for the filter `update_plugins_{hostname}` of WordPress, plugin-update-checker (`download_url`, `homepage`,
 * `sections`) and the updater class of Easy Digital Downloads (`new_version`, `package`, `sections`).
 */
export const UpdateResponse = describeResponse(
  'The release for this site. Fields with the same value have the names that WordPress, plugin-update-checker and the updater of Easy Digital Downloads expect.',
  {
    id: Address('The `Update URI` of the plugin, or the address of the product.'),
    name: Type.String({ description: 'The name of the product.' }),
    slug: Type.String({ description: 'The slug of the product.' }),
    version: Type.String({
      description:
        'The version that this site gets; the one it has if there is none for it. It can be lower than the one it has.',
    }),
    new_version: Type.String({ description: 'The same.' }),
    stable_version: Type.String({ description: 'The same.' }),
    update_available: Type.Boolean({ description: 'Whether the version is newer.' }),
    message: Type.String({ description: 'The reason, for people.' }),
    channel: nullable(OneOf(CHANNELS, { description: 'Of the release; null without one.' })),
    security: Type.Boolean({ description: 'Whether the release fixes a vulnerability.' }),
    url: Address('Website of the product.'),
    homepage: Address('The same.'),
    package: Address('Signed link to the file, for 15 minutes or 13 hours; empty without one.'),
    download_url: Address('The same.'),
    download_link: Address('The same.'),
    filesize: nullable(Type.Integer({ description: 'Bytes.' })),
    sha256: nullable(Type.String({ description: 'Of the file, in hexadecimal.' })),
    signature: nullable(
      Type.String({
        description:
          'Ed25519 signature of the raw SHA-384 of the file by the vendor, in base64, as `verify_file_signature` of WordPress checks it.',
      }),
    ),
    requires: nullable(Type.String({ description: 'Least version of WordPress.' })),
    requires_php: nullable(Type.String({ description: 'Least version of PHP.' })),
    tested: nullable(
      Type.String({ description: 'Latest version of WordPress it was tested with.' }),
    ),
    autoupdate: Type.Boolean({
      description:
        'True for a security release: WordPress then installs it in the background, unless the site has turned that off.',
    }),
    last_updated: nullable(Moment('When the release was published.')),
    upgrade_notice: Type.String({ description: 'For security releases; otherwise empty.' }),
    sections: Type.Object(
      { description: Type.String(), changelog: Type.String() },
      { description: 'HTML for the window with the details.' },
    ),
    icons: Type.Object({}, { description: 'None.' }),
    banners: Type.Object({}, { description: 'None.' }),
    translations: Type.Array(Type.String(), { description: 'None.', maxItems: 0 }),
  },
  {
    id: 'https://licences.example.com/releases/forms-pro',
    name: 'Forms Pro',
    slug: 'forms-pro',
    version: '2.5.0',
    new_version: '2.5.0',
    stable_version: '2.5.0',
    update_available: true,
    message: 'Version 2.5.0 is available.',
    channel: 'stable',
    security: false,
    url: 'https://forms.example.com',
    homepage: 'https://forms.example.com',
    package: 'https://licences.example.com/releases/forms-pro/2.5.0/download?token=…',
    download_url: 'https://licences.example.com/releases/forms-pro/2.5.0/download?token=…',
    download_link: 'https://licences.example.com/releases/forms-pro/2.5.0/download?token=…',
    filesize: 184_320,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    signature:
      'u1Ye0q5zC3m4QxjzGJ2mA8dV0H3gq1n0Vb7yqf9lYc4oQWl4wz1m6kq3JqS2r7tB5uV8x0yZ1aC3eG5iK7mODQ==',
    requires: '6.2',
    requires_php: '7.4',
    tested: '6.8',
    autoupdate: false,
    last_updated: '2026-11-21T09:30:00.000Z',
    upgrade_notice: '',
    sections: { description: '<p>Forms Pro</p>', changelog: '<h4>2.5.0</h4>' },
    icons: {},
    banners: {},
    translations: [],
  },
  'Update',
);

/**
 * @param publicUrl of the Licence API
 * @param asked the version that the site has, and for how long its link is to be valid
 */
export function toUpdateResponse(
  { secret, clock }: Platform,
  publicUrl: string,
  { licence, product, offered, withheld, releases }: UpdateOffer,
  asked: { site: string; installed: string | undefined; link: LinkLifetime },
): Static<typeof UpdateResponse> {
  const address = `${publicUrl}/releases/${product.slug}`;
  const version = offered?.version ?? asked.installed ?? '0';
  const isUpdate = offered !== undefined && isNewer(version, asked.installed);
  const website = product.siteUrl ?? '';
  const link =
    offered === undefined
      ? ''
      : `${address}/${version}/download?token=${createDownloadToken(secret, {
          releaseId: offered.id,
          licenceId: licence.publicId,
          site: asked.site,
          expiresAt: clock.now() + LINK_MS[asked.link],
        })}`;
  return {
    id: offered?.updateUri ?? address,
    name: product.name,
    slug: product.slug,
    version,
    new_version: version,
    stable_version: version,
    update_available: isUpdate,
    message: [
      isUpdate ? `Version ${version} is available.` : 'There is no newer version for this site.',
      withheld && isNewer(withheld.version, asked.installed)
        ? `Version ${withheld.version} was published after the licence had ended. Renew it at ${toRenewalUrl(publicUrl, licence)}`
        : '',
    ]
      .join(' ')
      .trim(),
    channel: offered?.channel ?? null,
    security: offered?.isSecurity ?? false,
    url: website,
    homepage: website,
    package: link,
    download_url: link,
    download_link: link,
    filesize: offered?.bytes ?? null,
    sha256: offered?.sha256 ?? null,
    signature: offered?.signature ?? null,
    requires: offered?.requiresWp ?? null,
    requires_php: offered?.requiresPhp ?? null,
    tested: offered?.testedWp ?? null,
    autoupdate: offered?.isSecurity ?? false,
    last_updated: offered ? toIsoMoment(offered.publishedAt) : null,
    upgrade_notice: offered?.isSecurity ? 'This release fixes a vulnerability.' : '',
    sections: {
      description: html`<p>${product.name}</p>`.text,
      changelog: offered ? formatChangelogs(releases, offered).text : '',
    },
    icons: {},
    banners: {},
    translations: [],
  };
}

/** What changed up to a release, the latest first. Stable sites read nothing of beta releases. */
function formatChangelogs(releases: readonly Release[], offered: Release): Html {
  const shown = sortReleases(releases).filter(
    ({ version, channel, yankedAt }) =>
      yankedAt === null &&
      !isNewer(version, offered.version) &&
      (channel === 'stable' || offered.channel === 'beta'),
  );
  return html`${shown
    .slice(0, CHANGELOGS_MAX)
    .map(
      ({ version, publishedAt, changelog }) =>
        html`<h4>${version} (${toIsoMoment(publishedAt).slice(0, 10)})</h4>${formatChangelog(changelog)}`,
    )}`;
}

/** Lines that start with - or * are items of a list, others are paragraphs. */
function formatChangelog(text: string): Html {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const parts: Html[] = [];
  let items: Html[] = [];
  const endList = () => {
    if (items.length > 0) parts.push(html`<ul>${items}</ul>`);
    items = [];
  };
  for (const line of lines) {
    const [, item] = /^[-*]\s+(.*)$/.exec(line) ?? [];
    if (item !== undefined) items.push(html`<li>${item}</li>`);
    else {
      endList();
      parts.push(html`<p>${line}</p>`);
    }
  }
  endList();
  return html`${parts}`;
}
