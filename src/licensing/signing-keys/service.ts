import { randomBytes } from 'node:crypto';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { deriveFirstKey, type SigningKey, toSigningKey } from './rules.ts';
import { insertKey, listStoredKeys, lockSigningKeys, markKeys, type StoredKey } from './store.ts';

const PURPOSE = 'signing-key';

/** Moments are in epoch milliseconds. */
export interface PublicKey {
  kid: string;
  /** `x` of its JSON Web Key. */
  publicKey: string;
  /** Null for the first key. */
  createdAt: number | null;
  /** Since when it signs nothing; null for the current key. */
  retiredAt: number | null;
  /** The JWT with which the key before vouches for this one; null without one. */
  endorsement: string | null;
}

/** The keys whose signatures are valid, the current one first. */
export async function listPublicKeys({ datastore, secret }: Platform): Promise<PublicKey[]> {
  const stored = await listStoredKeys(datastore.db);
  if (stored.length > 0) return stored.filter(({ revokedAt }) => revokedAt === null).reverse();
  const { kid, publicKey } = deriveFirstKey(secret);
  return [{ kid, publicKey, createdAt: null, retiredAt: null, endorsement: null }];
}

/**
 * Signs a JWT with the current key (EdDSA, RFC 8037). The key is read each time, so a rotation applies at once on all
 * nodes.
 * @param typ type of the token, which keeps one kind from being used as another
 */
export async function signToken(
  { datastore, secret }: Platform,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<{ token: string; kid: string }> {
  const key = await readCurrentKey(datastore.db, secret);
  return { token: await sign(key, typ, claims), kid: key.kid };
}

/**
 * Replaces the current key. The old one vouches for the new one, so that plugins with the old key accept it.
 * @param isRevoked whether older keys are no longer valid, for example because one was stolen. They vouch for nothing
 * @param actor for the security log
 */
export async function rotateSigningKey(
  { datastore, secret, clock }: Platform,
  isRevoked: boolean,
  actor: string,
): Promise<{ kid: string; previous: string }> {
  const seed = randomBytes(32);
  const next = toSigningKey(secret, seed);
  return datastore.transaction(async (trx) => {
    await lockSigningKeys(trx);
    const now = clock.now();
    const current = await readCurrentKey(trx, secret);
    if ((await listStoredKeys(trx)).length === 0) {
      const { kid, publicKey } = current;
      await insertKey(trx, { kid, public_key: publicKey });
    }
    await markKeys(trx, 'retired_at', now);
    if (isRevoked) await markKeys(trx, 'revoked_at', now);
    const claims = { sub: next.kid, x: next.publicKey, iat: Math.floor(now / 1_000) };
    await insertKey(trx, {
      kid: next.kid,
      public_key: next.publicKey,
      sealed_key: secret.seal(PURPOSE, seed.toString('base64url')),
      endorsement: isRevoked ? null : await sign(current, 'pavis-key+jwt', claims),
      created_at: now,
    });
    const details = { key: next.kid, previous: current.kid, revoked: isRevoked };
    await appendSecurityEvent(trx, { event: 'signing_key_rotated', actor, details }, now);
    return { kid: next.kid, previous: current.kid };
  });
}

async function readCurrentKey(db: Db | Trx, secret: Platform['secret']): Promise<SigningKey> {
  const current = (await listStoredKeys(db)).at(-1);
  return current ? openKey(secret, current) : deriveFirstKey(secret);
}

const openKey = (secret: Platform['secret'], { sealedKey }: StoredKey): SigningKey =>
  sealedKey === null
    ? deriveFirstKey(secret)
    : toSigningKey(secret, Buffer.from(secret.unseal(PURPOSE, sealedKey), 'base64url'));

async function sign(
  { kid, privateKey }: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ iss: 'pavis', ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid })
    .sign(privateKey);
}
