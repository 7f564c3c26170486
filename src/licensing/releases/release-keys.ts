import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError, TakenError } from '../../platform/errors.ts';
import { getProduct, type Product, readCatalogue } from '../products/index.ts';
import { isPublicKey } from './signatures.ts';
import {
  findReleaseKey,
  insertReleaseKey,
  listReleaseKeys,
  lockReleases,
  type ReleaseKey,
  updateReleaseKey,
} from './store.ts';

/**
 * Registers the public half of a release key of a product.
 * @param key.publicKey 32 bytes in base64
 * @throws InvalidFieldError for another key; TakenError if the product has it
 */
export async function addReleaseKey(
  { datastore, clock }: Platform,
  { id, slug }: Product,
  { publicKey, name }: { publicKey: string; name: string },
  actor: string,
): Promise<ReleaseKey> {
  if (!isPublicKey(publicKey))
    throw new InvalidFieldError(
      'public_key',
      'Enter the public key as "pavis release keygen" prints it: the 32 bytes of an Ed25519 key in base64.',
    );
  return datastore.transaction(async (trx) => {
    await lockReleases(trx);
    const isKnown = (keys: ReleaseKey[]) => keys.find((key) => key.publicKey === publicKey);
    if (isKnown(await listReleaseKeys(trx, id)))
      throw new TakenError('public_key', `${slug} already has this key.`);
    const now = clock.now();
    await insertReleaseKey(trx, { product_id: id, public_key: publicKey, name, added_at: now });
    const details = { action: 'added', product: slug, name, public_key: publicKey };
    await appendSecurityEvent(trx, { event: 'release_key_changed', actor, details }, now);
    const added = isKnown(await listReleaseKeys(trx, id));
    if (!added) throw new NotFoundError('The release key');
    return added;
  });
}

/**
 * Ends the use of a key: it signs no new releases. Those that it has signed stay as they are.
 * @throws NotFoundError
 */
export async function retireReleaseKey(
  { datastore, clock }: Platform,
  id: number,
  actor: string,
): Promise<ReleaseKey> {
  return datastore.transaction(async (trx) => {
    await lockReleases(trx);
    const key = await findReleaseKey(trx, id);
    if (!key) throw new NotFoundError('The release key');
    if (key.retiredAt !== null) return key;
    const now = clock.now();
    await updateReleaseKey(trx, id, { retired_at: now });
    const { slug } = getProduct(await readCatalogue(trx), key.productId);
    const details = { action: 'retired', product: slug, name: key.name, public_key: key.publicKey };
    await appendSecurityEvent(trx, { event: 'release_key_changed', actor, details }, now);
    return { ...key, retiredAt: now };
  });
}
