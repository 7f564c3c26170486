import type { Announce, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { DomainError } from '../../../platform/errors.ts';
import {
  assertActive,
  licenceNotFound,
  listInUse,
  queueLimitReached,
  type SiteCredentials,
  takeSlot,
} from '../../activations/index.ts';
import {
  appendEvent,
  findLicenceByKeyHash,
  hashKey,
  type Licence,
  lockLicence,
} from '../../licences/index.ts';
import { getProduct, readCatalogue } from '../../products/index.ts';
import { deriveNewKey, hashOldKey } from '../hashes.ts';
import { findExchange, insertExchange, type KnownImport, listImportsWithKey } from '../store.ts';

/** In the audit log. */
const ACTOR = 'old key';
/** How long a site can repeat its exchange, for the case that the response was lost. */
const REPEAT_MS = 7 * DAY_MS;

export interface Exchanged {
  licence: Licence;
  /** The new key in clear. */
  key: string;
  activationId: number;
  /** In epoch milliseconds. */
  repeatableUntil: number;
}

/**
 * Exchanges the old key of an imported licence for its new key, and activates the site. All sites of a licence get the
 * same key. A site that is active gets it also if the licence is suspended or expired, so that it can be renewed.
 * @param publicUrl of the Licence API
 * @throws DomainError 404 `licence_not_found`; 403 `exchange_closed`, `activation_limit_reached`, `licence_expired`,
 * `licence_suspended`, `licence_revoked`; 400 `invalid_request` if products share the old key and none is named
 */
export function exchangeKey(
  platform: Platform,
  { licenceKey: oldKey, siteUrl, site, product }: SiteCredentials,
  publicUrl: string,
): Promise<Exchanged> {
  const exchanged = platform.datastore.transaction(async (trx, announce) => {
    const now = platform.clock.now();
    const known = await findImport(platform, trx, { oldKey, product });
    const licence = await lockLicence(trx, known.licenceId);
    if (!licence) throw licenceNotFound();
    const key = deriveNewKey(platform, licence, oldKey);
    const current = await findLicenceByKeyHash(trx, hashKey(platform, key), now);
    if (current?.keyRetiresAt !== null)
      throw closed('The key of this licence was rotated. Enter its current key.');
    if (now >= known.exchangeUntil)
      throw closed('The time to exchange old keys is over. Ask the vendor for the new key.');

    const active = (await listInUse(trx, licence.id)).some(({ siteKey }) => siteKey === site);
    if (!active || licence.revokedAt !== null) assertActive(licence, now, publicUrl);
    const request = { site, siteUrl, now, publicUrl, actor: ACTOR };
    const { id } = await takeSlot(trx, announce, licence, request);
    const exchangedAt = await findExchange(trx, id);
    if (exchangedAt === undefined)
      await recordExchange(trx, announce, { licence, activationId: id, siteUrl, now });
    const repeatableUntil = (exchangedAt ?? now) + REPEAT_MS;
    if (now >= repeatableUntil)
      throw closed('This site has exchanged the old key already. Enter the new key.');
    return { licence, key, activationId: id, repeatableUntil };
  });
  return exchanged.catch(async (error) => {
    // The refusal has rolled its transaction back.
    await queueLimitReached(platform, error);
    throw error;
  });
}

const closed = (message: string) => new DomainError('forbidden', 'exchange_closed', message);

/** @throws DomainError `licence_not_found`, `invalid_request` */
async function findImport(
  platform: Platform,
  trx: Trx,
  { oldKey, product }: { oldKey: string; product: string | undefined },
): Promise<KnownImport> {
  const all = await listImportsWithKey(trx, hashOldKey(platform, oldKey));
  const catalogue = all.length > 0 ? await readCatalogue(trx) : [];
  const [found, ...others] = all.filter(
    ({ productId }) => product === undefined || getProduct(catalogue, productId).slug === product,
  );
  if (!found) throw licenceNotFound();
  if (others.length === 0) return found;
  const message = 'Licences of several products have this key. Send the slug of yours as product.';
  throw new DomainError('invalid', 'invalid_request', message);
}

async function recordExchange(
  trx: Trx,
  announce: Announce,
  {
    licence,
    activationId,
    siteUrl,
    now,
  }: { licence: Licence; activationId: number; siteUrl: string; now: number },
): Promise<void> {
  await insertExchange(trx, activationId, now);
  const details = { activation_id: activationId, site_url: siteUrl.trim() };
  await appendEvent(trx, announce, licence.id, {
    at: now,
    actor: ACTOR,
    action: 'exchanged',
    details,
  });
}
