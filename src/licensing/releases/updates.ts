import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { licenceNotFound, licenceRefused, listInUse } from '../activations/index.ts';
import {
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  getGraceEnd,
  getLicenceStatus,
  hashKey,
  type Licence,
} from '../licences/index.ts';
import { getProduct, type Product } from '../products/index.ts';
import { type DownloadGrant, readDownloadToken } from './download-links.ts';
import { findOffer, type Release, type UpdateSite } from './rules.ts';
import { findRelease, listReleases } from './store.ts';

const releaseNotFound = () =>
  new DomainError('not_found', 'release_not_found', 'There is no such release.');

/** The result of an update check. */
export interface UpdateOffer {
  licence: Licence;
  product: Product;
  offered: Release | undefined;
  /** What the site would get if its licence were renewed. */
  withheld: Release | undefined;
  /** All releases of the product. */
  releases: readonly Release[];
}

/**
 * The release that a site gets.
 * @throws DomainError `licence_not_found`, also for the key of another product; `site_not_activated`; `licence_suspended`;
 * `licence_revoked`
 */
export async function findUpdate(
  platform: Platform,
  product: string,
  {
    licenceKey,
    ...asking
  }: { licenceKey: string } & Pick<UpdateSite, 'site' | 'channel' | 'php' | 'wp'>,
): Promise<UpdateOffer> {
  const { licence, product: found } = await findLicenceOfProduct(platform, product, licenceKey);
  await assertActiveSite(platform, licence, asking.site);
  const releases = await listReleases(platform.datastore.db, found.id);
  const offer = findOffer(releases, { ...asking, licenceEnd: getGraceEnd(licence) });
  return { licence, product: found, ...offer, releases };
}

/** @throws DomainError `licence_not_found`, also for the key of another product */
async function findLicenceOfProduct(
  platform: Platform,
  slug: string,
  licenceKey: string,
): Promise<{ licence: Licence; product: Product }> {
  const keyHash = hashKey(platform, licenceKey);
  const { datastore, clock, catalogue } = platform;
  const found = await findLicenceByKeyHash(datastore.db, keyHash, clock.now());
  if (!found) throw licenceNotFound();
  const product = getProduct(await catalogue.read([found.licence]), found.licence.productId);
  if (product.slug !== slug) throw licenceNotFound();
  return { licence: found.licence, product };
}

/** An expired licence keeps its updates, so only these are refused. */
async function assertActiveSite(
  { datastore, clock }: Platform,
  licence: Licence,
  site: string,
): Promise<void> {
  const status = getLicenceStatus(licence, clock.now());
  if (status === 'suspended' || status === 'revoked') throw licenceRefused(status);
  const sites = await listInUse(datastore.db, licence.id);
  if (sites.some(({ siteKey }) => siteKey === site)) return;
  throw new DomainError(
    'forbidden',
    'site_not_activated',
    'This site is not activated with the licence. Activate it to get updates.',
  );
}

/**
 * The release of a download link. Licence and site are checked again, so a link is worth no more than the licence.
 * @throws DomainError `link_expired`; `site_not_activated`; `licence_suspended`; `licence_revoked`; `release_not_found`,
 * also for a yanked release
 */
export async function findDownload(
  platform: Platform,
  { product, version, token }: { product: string; version: string; token: string },
): Promise<Release> {
  const grant = readDownloadToken(platform.secret, token);
  if (!grant || grant.expiresAt <= platform.clock.now())
    throw new DomainError(
      'forbidden',
      'link_expired',
      'This download link is invalid or has expired. Check for updates again to get a new one.',
    );
  const { productId } = await getGrantedLicence(platform, grant);
  const { datastore, catalogue } = platform;
  const release = await findRelease(datastore.db, grant.releaseId);
  if (release?.version !== version || release.yankedAt !== null) throw releaseNotFound();
  // After a restore, the id of a lost release may be that of another product's.
  if (release.productId !== productId) throw releaseNotFound();
  if (getProduct(await catalogue.read(), release.productId).slug !== product)
    throw releaseNotFound();
  return release;
}

async function getGrantedLicence(
  platform: Platform,
  { licenceId, site }: DownloadGrant,
): Promise<Licence> {
  const licence = await findLicenceWithCustomer(platform.datastore.db, licenceId);
  if (!licence) throw licenceNotFound();
  await assertActiveSite(platform, licence, site);
  return licence;
}

/**
 * A release with an SBOM, also a yanked one, for any licence of the product.
 * @throws DomainError `licence_not_found`; `release_not_found`
 */
export async function findSbom(
  platform: Platform,
  { product, version, licenceKey }: { product: string; version: string; licenceKey: string },
): Promise<Release & { sbomFileId: number }> {
  const found = await findLicenceOfProduct(platform, product, licenceKey);
  const releases = await listReleases(platform.datastore.db, found.product.id);
  const release = releases.find((each) => each.version === version);
  if (!release || release.sbomFileId === null) throw releaseNotFound();
  return { ...release, sbomFileId: release.sbomFileId };
}
