import { generateKey, maskKey } from '../../../platform/crypto/licence-key.ts';
import type { Announce, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import type { Licence } from '../rules.ts';
import { assertPossible, changeLicence } from '../service.ts';
import { insertKey, listMaskedKeys, retireKeys } from './store.ts';

/** How long an old key may keep working: sites that have it need time to get the new one. */
export const MAX_OVERLAP_HOURS = (7 * DAY_MS) / HOUR_MS;

/** The only place where the new key exists in clear. */
export interface RotatedKey {
  licence: Licence;
  key: string;
  /** Masked. */
  oldKey: string;
  /** When the old key stops working, in epoch milliseconds. */
  oldKeyUntil: number;
}

/** The form in which keys are stored and looked up. */
export const hashKey = ({ secret }: Platform, key: string): string =>
  secret.hash('licence-key', key);

/**
 * @param key default: a random one
 * @returns the key in clear
 */
export async function createKey(
  platform: Platform,
  trx: Trx,
  licence: Licence,
  now: number,
  key = generateKey(licence.mode),
): Promise<string> {
  await insertKey(trx, {
    licence_id: licence.id,
    key_hash: hashKey(platform, key),
    masked_key: maskKey(key),
    created_at: now,
  });
  return key;
}

/**
 * Rotates the key of a licence. Its sites stay activated.
 * @param overlapHours for which the old key keeps working, at most `MAX_OVERLAP_HOURS`
 * @param alsoDo runs in the same transaction, for example to queue an email
 */
export async function rotateKey(
  platform: Platform,
  id: string,
  overlapHours: number,
  actor: string,
  alsoDo: (trx: Trx, announce: Announce, rotated: RotatedKey) => Promise<void> = async () => {},
): Promise<{ licence: Licence; key: string }> {
  let key = '';
  const licence = await changeLicence(platform, id, actor, async (trx, current, now, announce) => {
    assertPossible(
      current.revokedAt === null,
      `Licence ${id} is permanently revoked. Issue a new licence instead.`,
    );
    const [oldKey = ''] = (await listMaskedKeys(trx, [current.id])).values();
    const oldKeyUntil = now + overlapHours * HOUR_MS;
    await retireKeys(trx, current.id, oldKeyUntil);
    key = await createKey(platform, trx, current, now);
    await alsoDo(trx, announce, { licence: current, key, oldKey, oldKeyUntil });
    return {
      licence: current,
      action: 'rerolled',
      details: { new_key: maskKey(key), overlap_hours: overlapHours },
    };
  });
  return { licence, key };
}
