import type { Db } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { type ApiToken, formatTokenActor } from '../api-tokens/index.ts';
import { findLicenceWithCustomer, type LicenceWithCustomer } from '../licences/index.ts';
import { getProduct, readCatalogue } from '../products/index.ts';

/** In the audit log. */
export const getActor = ({ name }: ApiToken): string => formatTokenActor(name);

/**
 * The parameter `product` of a request: the one that it sent, or the product of the token; empty if there is neither.
 * @throws DomainError 403 `product_not_allowed` if the token is for another product
 */
export async function toAllowedProduct(
  { datastore: { db } }: Platform,
  { productId }: ApiToken,
  { product: slug }: { product?: string },
): Promise<{ product?: string }> {
  if (productId === null) return slug === undefined ? {} : { product: slug };
  const own = getProduct(await readCatalogue(db), productId).slug;
  if (slug === undefined || slug === own) return { product: own };
  const message = `This API token is for the product ${own} only.`;
  throw new DomainError('forbidden', 'product_not_allowed', message);
}

/** @throws DomainError 404 `licence_not_found`, also for a licence of a product that the token is not for */
export async function getOwnLicence(
  { datastore: { db } }: Platform,
  { productId }: ApiToken,
  id: string,
): Promise<LicenceWithCustomer> {
  const licence = await findOwnLicence(db, productId, id);
  if (licence) return licence;
  throw new DomainError('not_found', 'licence_not_found', 'No licence has this id.');
}

/** A licence of the product of a token. It never changes, so it is not checked again under the lock of a change. */
export async function findOwnLicence(
  db: Db,
  productId: ApiToken['productId'],
  id: string,
): Promise<LicenceWithCustomer | undefined> {
  const licence = await findLicenceWithCustomer(db, id);
  return productId === null || licence?.productId === productId ? licence : undefined;
}
