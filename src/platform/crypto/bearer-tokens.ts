import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secret } from './secret.ts';

// Loaded with the first token: it slows the start down.
const jose = () => import('jose');

const ALGORITHM = 'HS256';
const LIFETIME_SECONDS = 3600;
const LEEWAY_SECONDS = 30;
const ISSUER = 'pavis';

export interface BearerClaims {
  subject: string;
  /** Incrementing it on the subject revokes older tokens. */
  sessionVersion: number;
}

export interface VerifiedToken extends BearerClaims {
  tokenId: string;
  /** Epoch milliseconds, leeway included. */
  goodUntil: number;
}

export interface BearerToken {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Signs and verifies the JWTs of one audience. The algorithm is pinned (RFC 8725 §3.1). The issuer is fixed (§3.8), so
 * that tokens stay valid when the public address changes.
 */
export class BearerTokens {
  readonly #key: Buffer;
  readonly #audience: string;
  readonly #clock: Clock;

  constructor(secret: Secret, audience: string, clock: Clock) {
    this.#key = secret.key(`bearer:${audience}`);
    this.#audience = audience;
    this.#clock = clock;
  }

  /** Valid for one hour. */
  async issue({ subject, sessionVersion }: BearerClaims): Promise<BearerToken> {
    const issuedAt = Math.floor(this.#clock.now() / 1000);
    const expiresAt = issuedAt + LIFETIME_SECONDS;
    const { SignJWT } = await jose();
    const token = await new SignJWT({ sv: sessionVersion })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(this.#audience)
      .setSubject(subject)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .setJti(randomUUID())
      .sign(this.#key);
    return { token, expiresAt: expiresAt * 1000 };
  }

  /** Undefined for an invalid token. */
  async verify(token: string): Promise<VerifiedToken | undefined> {
    const { jwtVerify } = await jose();
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: this.#audience,
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['sub', 'iat', 'exp', 'jti', 'sv'],
      });
      const { sub: subject, sv: sessionVersion, jti: tokenId, exp } = payload;
      if (typeof subject !== 'string' || typeof sessionVersion !== 'number') return undefined;
      if (tokenId === undefined || exp === undefined) return undefined;
      return { subject, sessionVersion, tokenId, goodUntil: (exp + LEEWAY_SECONDS) * 1000 };
    } catch {
      return undefined;
    }
  }
}
