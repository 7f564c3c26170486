import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Pavis';
/** RFC 4226 §4 (R6): at least 128 bits, 160 recommended. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Clocks of phones differ: one time step earlier and later is accepted (RFC 6238 §5.2). */
const WINDOW_STEPS = 1;
const CODE = /^\d{6}$/;

export const RECOVERY_CODES = 10;
/** No letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** A secret for an authenticator app, in base32. */
export const generateSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** @param account what the app shows, for example `ada@pavis.example.com` */
const toTotp = (secret: string, account: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label: account,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** The `otpauth://` address that the QR code contains. */
export const toSetupUri = (secret: string, account: string): string =>
  toTotp(secret, account).toString();

/**
 * The time step of a code (RFC 6238, SHA-1, 6 digits, 30 seconds).
 * @param now epoch milliseconds
 * @returns undefined if the code is wrong or not of the current time step, the one before or the one after
 */
export function findStep(secret: string, code: string, now: number): number | undefined {
  const delta = toTotp(secret, '').validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** A recovery code of 59 bits, for example `k3m9-xq7p-2hvt`. */
export const generateRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/** A code as people type it: spaces, hyphens and case do not matter. */
export function parseCode(text: string): { kind: 'app' | 'recovery'; code: string } {
  const code = text.replace(/[\s-]/g, '').toLowerCase();
  return { kind: CODE.test(code) ? 'app' : 'recovery', code };
}
