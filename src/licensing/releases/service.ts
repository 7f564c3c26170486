import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { NotFoundError, TakenError } from '../../platform/errors.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { getProduct, type Product, readCatalogue, setCurrentVersion } from '../products/index.ts';
import { withSealedFile } from './files.ts';
import { readPluginPackage } from './package-file.ts';
import {
  assertPrereleaseOrder,
  findSigner,
  readChangelog,
  readChannel,
  readSbomFormat,
  readVersion,
} from './release-checks.ts';
import { type Channel, findCurrent, type Release, type SbomFormat } from './rules.ts';
import type { ReleaseUpdate } from './schemas.ts';
import {
  findRelease,
  insertRelease,
  listReleaseKeys,
  listReleases,
  lockReleases,
  updateReleaseRow,
} from './store.ts';
import { queueReleaseEvent, type ReleaseAction } from './webhook-release.ts';

/** What is published beside the file, as the APIs name it. */
export interface NewRelease {
  /** Needed where the file is not a WordPress plugin, whose header says it. */
  version?: string | undefined;
  /** See `isSignedBy`. */
  signature: string;
  channel?: Channel | undefined;
  rollout_percent?: number | undefined;
  security?: boolean | undefined;
  /** Default: that of the plugin's readme.txt. */
  changelog?: string | undefined;
}

/** The fields of a release that can change. */
type ReleaseEdits = Static<typeof ReleaseUpdate>;

/** Changes with everything that `updateRelease` can change. */
export const getReleaseTag = ({ downloads: _downloads, ...fields }: Release): string =>
  toStrongTag(fields);

/**
 * Publishes a file that was uploaded, if a key of the product has signed it.
 * @param files ids of the release's file and of its SBOM, see `createFile`
 * @throws InvalidFieldError for a file, version, channel, signature or SBOM that breaks a rule; TakenError if the
 * product has the version; NotFoundError
 */
export async function publishRelease(
  platform: Platform,
  product: Product,
  files: { fileId: number; sbomFileId?: number | undefined },
  wanted: NewRelease,
  actor: string,
): Promise<Release> {
  const publish = (sbom: { id: number; format: SbomFormat } | undefined) =>
    withSealedFile(platform, { id: files.fileId, productId: product.id }, async (file) => {
      const keys = await listReleaseKeys(platform.datastore.db, product.id);
      // First, so that only files of the vendor are unpacked.
      const key = findSigner(file.content, wanted.signature, keys);
      const plugin = await readPluginPackage(file.content, product.slug);
      const version = readVersion(wanted.version, plugin);
      const channel = readChannel(wanted.channel, version);
      const values = {
        product_id: product.id,
        version,
        channel,
        file_id: files.fileId,
        file_name: file.name,
        bytes: file.content.length,
        sha256: createHash('sha256').update(file.content).digest('hex'),
        signature: wanted.signature,
        release_key_id: key.id,
        requires_wp: plugin?.requiresWp ?? null,
        requires_php: plugin?.requiresPhp ?? null,
        tested_wp: plugin?.testedWp ?? null,
        update_uri: plugin?.updateUri ?? null,
        changelog: readChangelog(wanted.changelog, version, plugin),
        security: wanted.security ? (1 as const) : (0 as const),
        rollout_percent: wanted.rollout_percent ?? 100,
        sbom_file_id: sbom?.id ?? null,
        sbom_format: sbom?.format ?? null,
      };
      return change(platform, actor, product.id, async (trx, releases) => {
        if (releases.some((release) => release.version === version))
          throw new TakenError(
            'version',
            `${product.slug} already has a release ${version}. A release cannot be replaced; publish a higher version.`,
          );
        assertPrereleaseOrder(version, releases);
        const release = await insertRelease(trx, { ...values, published_at: platform.clock.now() });
        const { sha256, security, rollout_percent } = values;
        const details = { version, channel, sha256, security: security === 1, rollout_percent };
        return { id: release.id, details: { action: 'published', ...details } };
      });
    });
  const { sbomFileId: id } = files;
  if (id === undefined) return publish(undefined);
  return withSealedFile(platform, { id, productId: product.id }, ({ content }) =>
    publish({ id, format: readSbomFormat(content) }),
  );
}

/**
 * Changes, yanks or restores a release. Sites see it at their next request.
 * @param ifMatch the `If-Match` header, if sent
 * @throws NotFoundError; InvalidFieldError; DomainError `rest_precondition_failed`
 */
export async function updateRelease(
  platform: Platform,
  id: number,
  { edits, ifMatch }: { edits: ReleaseEdits; ifMatch?: string | undefined },
  actor: string,
): Promise<Release> {
  const found = await findRelease(platform.datastore.db, id);
  if (!found) throw new NotFoundError('The release');
  return change(platform, actor, found.productId, async (trx, releases) => {
    const release = releases.find((each) => each.id === id);
    if (!release) throw new NotFoundError('The release');
    assertFitsIfMatch(ifMatch, getReleaseTag(release), 'release');
    const { yanked, yank_reason, security, channel, ...fields } = edits;
    if (channel) readChannel(channel, release.version);
    const isMoved = yanked !== undefined && yanked !== (release.yankedAt !== null);
    const values = {
      ...fields,
      ...(channel && { channel }),
      ...(security !== undefined && { security: security ? (1 as const) : (0 as const) }),
      ...(isMoved && { yanked_at: yanked ? platform.clock.now() : null }),
      ...((isMoved || yank_reason !== undefined) && { yank_reason: yank_reason ?? null }),
    };
    if (Object.keys(values).length > 0) await updateReleaseRow(trx, id, values);
    const action = isMoved ? (yanked ? 'yanked' : 'restored') : 'updated';
    const { changelog, yanked: _yanked, ...noted } = edits;
    return { id, details: { action, version: release.version, ...noted } };
  });
}

/**
 * Makes one change at a time. Unless nothing changed, records it in the security log, queues its webhook event and keeps
 * the current version of the product true.
 */
function change(
  { datastore, clock }: Platform,
  actor: string,
  productId: number,
  apply: (
    trx: Trx,
    releases: readonly Release[],
  ) => Promise<{
    id: number;
    details: Readonly<Record<string, unknown>> & { action: ReleaseAction };
  }>,
): Promise<Release> {
  return datastore.transaction(async (trx, announce) => {
    await lockReleases(trx);
    const before = await listReleases(trx, productId);
    const { id, details } = await apply(trx, before);
    const changed = await findRelease(trx, id);
    if (!changed) throw new NotFoundError('The release');
    const former = before.find((release) => release.id === id);
    if (isDeepStrictEqual(changed, former)) return changed;
    const product = getProduct(await readCatalogue(trx), productId);
    const recorded = { product: product.slug, ...details };
    const at = clock.now();
    await appendSecurityEvent(trx, { event: 'release_changed', actor, details: recorded }, at);
    await updateCurrentVersion(trx, announce, product);
    await queueReleaseEvent(trx, announce, {
      action: details.action,
      product,
      release: changed,
      at,
    });
    return changed;
  });
}

/** The highest stable release. A product all of whose releases are yanked keeps the version that it names. */
async function updateCurrentVersion(trx: Trx, announce: Announce, product: Product): Promise<void> {
  const current = findCurrent(await listReleases(trx, product.id));
  if (!current || current.version === product.currentVersion) return;
  await setCurrentVersion(trx, announce, product, current.version);
}
