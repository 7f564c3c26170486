import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { toRecord } from '../../platform/http/record.ts';
import {
  clearable,
  Moment,
  NonBlankText,
  nullable,
  OneOf,
  Text,
} from '../../platform/http/schemas.ts';
import { CHANGELOG_MAX_LENGTH, CHANNELS, type Release, SBOM_FORMATS } from './rules.ts';
import type { ReleaseKey } from './store.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';
const NAME_MAX_LENGTH = 128;

const channel = OneOf(CHANNELS, {
  description: '`beta` sites also get stable releases. Pre-release versions are `beta` only.',
});
const rolloutPercent = Type.Integer({
  minimum: 0,
  maximum: 100,
  description:
    'Share of sites that are offered the release. A larger one only adds sites. Security releases are for all.',
});
const security = Type.Boolean({
  description:
    'Whether the release fixes a vulnerability. Then it is offered to all sites at once, also of expired licences.',
});
/** As `PLAIN_TEXT`, and carriage returns, which files from Windows have. */
const CHANGELOG_TEXT = '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$';
const changelog = Text(CHANGELOG_MAX_LENGTH, {
  minLength: 0,
  pattern: CHANGELOG_TEXT,
  description:
    'What changed, as plain text; lines that start with `-` become a list. Default: that of readme.txt.',
});

export const FileCreate = Type.Object(
  {
    name: Text(NAME_MAX_LENGTH, { description: 'The name of the file.' }),
    bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Its size. A file that is too large is then refused before it is uploaded.',
      }),
    ),
  },
  { title: 'ReleaseFileCreate', examples: [{ name: 'forms-pro-2.5.0.zip', bytes: 81_920 }] },
);
export const FileRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    part_bytes: Type.Integer({ description: 'Bytes of each part but the last.' }),
  },
  { title: 'ReleaseFile' },
);
export const FilePart = Type.Object(
  {
    position: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Of the part, from 0.' }),
    data: Type.String({
      minLength: 1,
      maxLength: 180_000,
      pattern: '^[A-Za-z0-9+/]+=*$',
      description: 'The bytes in base64.',
    }),
  },
  { title: 'ReleaseFilePart', examples: [{ position: 0, data: 'UEsDBA==' }] },
);

export const ReleaseCreate = Type.Object(
  {
    file_id: Type.Integer({ minimum: 1, description: 'The uploaded file.' }),
    signature: Text(NAME_MAX_LENGTH, {
      description: 'As `pavis release sign` prints it: Ed25519 over the raw SHA-384, in base64.',
    }),
    version: Type.Optional(
      Text(64, {
        description: 'A semantic version. Only needed if the file is not a WordPress plugin.',
      }),
    ),
    channel: Type.Optional(channel),
    rollout_percent: Type.Optional(rolloutPercent),
    security: Type.Optional(security),
    changelog: Type.Optional(changelog),
    sbom_file_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'An uploaded SBOM: CycloneDX or SPDX in JSON.' }),
    ),
  },
  { title: 'ReleaseCreate' },
);
export const ReleaseUpdate = Type.Object(
  {
    channel: Type.Optional(channel),
    rollout_percent: Type.Optional(rolloutPercent),
    security: Type.Optional(security),
    changelog: Type.Optional(changelog),
    yanked: Type.Optional(
      Type.Boolean({
        description: 'A yanked release is not offered, and its download links stop working.',
      }),
    ),
    yank_reason: clearable(Text(500, { description: 'Why it was yanked. Sites do not see it.' })),
  },
  { title: 'ReleaseUpdate', examples: [{ rollout_percent: 50 }] },
);

export const ReleaseRecord = Type.Object(
  {
    id: Type.Integer(),
    product: Type.String({ description: 'The slug of the product.' }),
    version: Type.String(),
    channel,
    file_name: Type.String(),
    bytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the file, in hexadecimal.' }),
    signature: Type.String(),
    release_key_id: Type.Integer(),
    requires_wp: nullable(Type.String({ description: 'Least version of WordPress.' })),
    requires_php: nullable(Type.String({ description: 'Least version of PHP.' })),
    tested_wp: nullable(Type.String({ description: 'Latest version of WordPress tested with.' })),
    update_uri: nullable(Type.String({ description: 'The header `Update URI`.' })),
    changelog: Type.String(),
    security,
    rollout_percent: rolloutPercent,
    published_at: Moment('When it was published.', EXAMPLE),
    yanked_at: nullable(Moment('When it was yanked.', EXAMPLE)),
    yank_reason: nullable(Type.String()),
    sbom: nullable(OneOf(SBOM_FORMATS, { description: 'The format of the SBOM.' })),
    downloads: Type.Integer({ description: 'Completed downloads.' }),
  },
  { title: 'Release' },
);

export const toReleaseRecord = (
  { slug }: { slug: string },
  release: Release,
): Static<typeof ReleaseRecord> =>
  toRecord(ReleaseRecord, {
    ...release,
    product: slug,
    security: release.isSecurity,
    publishedAt: toIsoMoment(release.publishedAt),
    yankedAt: toIsoMomentOrNull(release.yankedAt),
    sbom: release.sbomFormat,
  });

export const ReleaseKeyCreate = Type.Object(
  {
    public_key: Text(64, {
      description: 'As `pavis release keygen` prints it: the 32 bytes of an Ed25519 key in base64.',
    }),
    name: NonBlankText(NAME_MAX_LENGTH, { description: 'To tell keys apart.' }),
  },
  {
    title: 'ReleaseKeyCreate',
    examples: [{ public_key: 'fRPyrxb/MvVLbdsYi+OOEv4xc+Eqpsj+kkAS6gNOkI0=', name: 'Build 2026' }],
  },
);
export const ReleaseKeyRecord = Type.Object(
  {
    id: Type.Integer(),
    public_key: Type.String(),
    name: Type.String(),
    added_at: Moment('When it was added.', EXAMPLE),
    retired_at: nullable(Moment('Since when it signs no new releases.', EXAMPLE)),
  },
  { title: 'ReleaseKey' },
);

export const toReleaseKeyRecord = (key: ReleaseKey): Static<typeof ReleaseKeyRecord> =>
  toRecord(ReleaseKeyRecord, {
    ...key,
    addedAt: toIsoMoment(key.addedAt),
    retiredAt: toIsoMomentOrNull(key.retiredAt),
  });
