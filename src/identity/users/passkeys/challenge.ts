import { randomBytes } from 'node:crypto';
import type { Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { openToken, sealToken } from '../second-factor/sealed-token.ts';
import { useChallenge } from './store.ts';

/** WebAuthn §13.4.3: at least 16 bytes. */
const CHALLENGE_BYTES = 32;
export const CHALLENGE_SECONDS = 600;

export interface Challenge {
  /** In base64url. */
  challenge: string;
  /** The user who can register a passkey with it; undefined for a sign-in. */
  userId?: number;
  /** Of the user at that time: a new password ends the registration. */
  sessionVersion?: number;
  expiresAt: number;
}

/**
 * A challenge that any node accepts for ten minutes. It is not stored before it is used, so that pages that nobody signs
 * in on write nothing.
 * @returns it, and the sealed token that must come back with the answer
 */
export function createChallenge(
  platform: Platform,
  purpose: string,
  facts: Pick<Challenge, 'userId' | 'sessionVersion'> = {},
): { challenge: string; token: string } {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const sealed = { ...facts, challenge };
  return { challenge, token: sealToken(platform, purpose, sealed, CHALLENGE_SECONDS * 1000) };
}

/** Undefined if the token is invalid or has expired. */
export const openChallenge = (
  platform: Platform,
  purpose: string,
  token: string | undefined,
): Challenge | undefined => openToken<Omit<Challenge, 'expiresAt'>>(platform, purpose, token);

/** @returns false if the challenge was used before, on any node */
export const useUpChallenge = (
  { secret, clock }: Platform,
  trx: Trx,
  { challenge, expiresAt }: Challenge,
): Promise<boolean> =>
  useChallenge(trx, { hash: secret.hash('challenge', challenge), expiresAt, now: clock.now() });
