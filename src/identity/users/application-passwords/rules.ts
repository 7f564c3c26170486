import { toIsoMoment } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/rest/scopes.ts';

/** What an application password is limited to. */
export interface Limits {
  /** Epoch milliseconds; null: it does not expire. */
  expiresAt: number | null;
  /** Null: all rights of the user. */
  scopes: readonly Scope[] | null;
}

const formatTooLong = (expiresAt: number): string =>
  `This application password expires, and cannot create one that is valid longer. Send expires_at with ${toIsoMoment(expiresAt)} or earlier, or create it in the console.`;
const formatTooMuch = (allowed: readonly Scope[]): string =>
  `This application password is limited to scopes, and cannot create one that allows more. Send scopes with some of ${allowed.join(', ')}, or create it in the console.`;

/** The refusals of `assertWithin`, as examples for the API reference. */
export const BEYOND_LIMITS = [
  formatTooLong(Date.parse('2027-11-21T00:00:00Z')),
  formatTooMuch(['consent:read']),
];

/** The refusal of `assertDoesNotExpire`. */
export const EXPIRES =
  'This application password expires, and cannot create or change accounts, which do not. Do it in the console, or with one that does not expire.';

/**
 * An application password must not create one that is valid longer or allows more, so that a program cannot get rid of its
 * own limits.
 * @param by the limits of the application password that creates the other
 * @throws DomainError `rest_cannot_create_application_passwords`
 */
export function assertWithin(by: Limits, { expiresAt, scopes }: Limits): void {
  if (by.expiresAt !== null && (expiresAt === null || expiresAt > by.expiresAt)) {
    throw createRefusal(formatTooLong(by.expiresAt));
  }
  const allowed = by.scopes;
  if (allowed && !scopes?.every((scope) => allowed.includes(scope))) {
    throw createRefusal(formatTooMuch(allowed));
  }
}

/**
 * Accounts do not expire, so an application password that does must not create or change them: it would give rights that
 * outlast it.
 * @throws DomainError with the code
 */
export function assertDoesNotExpire(
  { expiresAt }: { expiresAt?: number },
  code: 'rest_cannot_create_user' | 'rest_cannot_edit',
): void {
  if (expiresAt !== undefined) throw new DomainError('forbidden', code, EXPIRES);
}

const createRefusal = (message: string): DomainError =>
  new DomainError('forbidden', 'rest_cannot_create_application_passwords', message);
