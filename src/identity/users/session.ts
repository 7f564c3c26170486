import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import {
  type Account,
  deleteExpiredSessions,
  deleteSession,
  findBySession,
  insertSession,
  updateUser,
} from './store.ts';

const SESSION_SECONDS = 48 * 3600;
export const SESSION_COOKIE = { name: 'pavis_session', maxAge: SESSION_SECONDS };
const NONCE_TICK_MS = 12 * 3_600_000;
const NONCE_LENGTH = 10;
const TOKEN = /^[\w-]{43}$/;

/** An active session. */
export interface Session {
  user: User;
  tokenHash: string;
}

/**
 * Opens a session after the password was checked.
 * @param useUp uses up what else the user proved themselves with, in the transaction of the session; if it throws, there
 * is no session
 */
export async function openSession(
  { datastore, secret, clock }: Platform,
  { user, sessionVersion }: Account,
  useUp: (trx: Trx, announce: Announce) => Promise<void> = async () => {},
): Promise<{ token: string; session: Session }> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = secret.hash('session', token);
  const now = clock.now();
  await datastore.transaction(async (trx, announce) => {
    await useUp(trx, announce);
    await deleteExpiredSessions(trx, now);
    await updateUser(trx, user.id, { last_seen_at: now });
    await insertSession(trx, {
      user_id: user.id,
      token_hash: tokenHash,
      // The version from the check, so that a password change since then ends this session too.
      session_version: sessionVersion,
      created_at: now,
      expires_at: now + SESSION_SECONDS * 1000,
    });
  });
  return { token, session: { user, tokenHash } };
}

/** Undefined if the token is invalid or the session has ended. */
export async function resumeSession(
  { datastore, secret, clock }: Platform,
  token: string | undefined,
): Promise<Session | undefined> {
  if (!token || !TOKEN.test(token)) return undefined;
  const tokenHash = secret.hash('session', token);
  const user = await findBySession(datastore.db, tokenHash, clock.now());
  return user && { user, tokenHash };
}

export async function closeSession({ datastore }: Platform, { tokenHash }: Session): Promise<void> {
  await datastore.transaction((trx) => deleteSession(trx, tokenHash));
}

/** The CSRF nonce of a session: valid for 12 to 24 hours, and no longer than the session. */
export const createNonce = (platform: Platform, session: Session): string =>
  nonceAt(platform, session, currentTick(platform));

export function isNonce(platform: Platform, session: Session, nonce: string): boolean {
  const tick = currentTick(platform);
  return [tick, tick - 1].some((each) =>
    equalInConstantTime(nonce, nonceAt(platform, session, each)),
  );
}

const currentTick = ({ clock }: Platform): number => Math.ceil(clock.now() / NONCE_TICK_MS);

function nonceAt({ secret }: Platform, { user, tokenHash }: Session, tick: number): string {
  const hash = secret.hash('nonce', `${tick}|${user.id}|${tokenHash}`);
  return Buffer.from(hash, 'base64url').toString('hex').slice(0, NONCE_LENGTH);
}
