import { randomBytes } from 'node:crypto';
import { isRecent } from '../../platform/clock.ts';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { currentClient } from '../../platform/http/request-client.ts';
import type { User } from '../../platform/rest/caller.ts';
import { UserDeletedError } from './errors.ts';
import { isSecondFactorRequired } from './second-factor/policy.ts';
import type { SessionScope } from './second-factor/scope.ts';
import { hasSecondFactor, readSecondFactor } from './second-factor/service.ts';
import { insertSession, touchSession, touchUser } from './sessions/store.ts';
import { type Account, deleteExpiredSessions, deleteSession, findBySession } from './store.ts';
import type { SignInMethod } from './tables.ts';

const SESSION_SECONDS = 48 * 3600;
export const SESSION_COOKIE = { name: 'pavis_session', maxAge: SESSION_SECONDS };
/** The precision of the last use. */
const USED_MS = 5 * MINUTE_MS;
const USER_AGENT_MAX_LENGTH = 200;
const NONCE_TICK_MS = 12 * 3_600_000;
const NONCE_LENGTH = 10;
const TOKEN = /^[\w-]{43}$/;

/** An active session. */
export interface Session {
  id: number;
  user: User;
  tokenHash: string;
  method: SignInMethod;
  /** The user must set up a second factor first: until then, the session is good for nothing else. */
  lacksSecondFactor: boolean;
}

/**
 * Opens a session after the user was authenticated.
 * @param useUp uses up what else the user proved themselves with, in the transaction of the session; if it throws, there
 * is no session
 * @throws UserDeletedError
 */
export async function openSession(
  { datastore, secret, clock }: Platform,
  { user, sessionVersion }: Account,
  {
    method = 'password',
    lacksSecondFactor = false,
    useUp,
  }: {
    method?: SignInMethod | undefined;
    lacksSecondFactor?: boolean | undefined;
    useUp?: ((trx: Trx, announce: Announce) => Promise<void>) | undefined;
  } = {},
): Promise<{ token: string; session: Session }> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = secret.hash('session', token);
  const now = clock.now();
  const { address, userAgent } = currentClient() ?? {};
  const id = await datastore.transaction(async (trx, announce) => {
    await useUp?.(trx, announce);
    if (!(await touchUser(trx, user.id, now))) throw new UserDeletedError();
    await deleteExpiredSessions(trx, now);
    return insertSession(trx, {
      user_id: user.id,
      token_hash: tokenHash,
      // The version from the check, so that a password change since then ends this session too.
      session_version: sessionVersion,
      created_at: now,
      expires_at: now + SESSION_SECONDS * 1000,
      address: address === undefined || address === 'unknown' ? null : address,
      user_agent: userAgent?.replace(/\p{C}/gu, '').slice(0, USER_AGENT_MAX_LENGTH) ?? null,
      last_used_at: now,
      method,
    });
  });
  return { token, session: { id, user, tokenHash, method, lacksSecondFactor } };
}

/** Undefined if the token is invalid or the session has ended. */
export async function resumeSession(
  { platform, secondFactorFor }: SessionScope,
  token: string | undefined,
): Promise<Session | undefined> {
  const { datastore, secret, clock, log } = platform;
  if (!token || !TOKEN.test(token)) return undefined;
  const tokenHash = secret.hash('session', token);
  const now = clock.now();
  const found = await findBySession(datastore.db, tokenHash, now);
  if (!found) return undefined;
  const { id, user, lastUsedAt, method } = found;
  if (lastUsedAt === null || !isRecent(lastUsedAt, USED_MS, now)) {
    try {
      await datastore.transaction((trx) => touchSession(trx, id, now));
    } catch (err) {
      // Users can work while the database is read-only.
      log.warn({ err }, 'cannot record the use of a session');
    }
  }
  // The provider of single sign-on decides what people prove themselves with. Read each time, so that the setting, a new
  // role and a reset apply to open sessions.
  const lacksSecondFactor =
    method !== 'single_sign_on' &&
    isSecondFactorRequired(secondFactorFor, user.role) &&
    !hasSecondFactor(await readSecondFactor(datastore.db, user.id));
  return { id, user, tokenHash, method, lacksSecondFactor };
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
