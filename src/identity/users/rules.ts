import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError, TakenError } from '../../platform/errors.ts';

/** No `@`, so that no login is an email address. No `:`, which ends the user name in HTTP Basic (RFC 7617). */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
export const PASSWORD_MIN_LENGTH = 8;
export const ADMINISTRATOR_PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 200;
const NAME_MAX_LENGTH = 100;

/** The form in which a login or an address identifies a user: neither is case-sensitive, and addresses have one spelling. */
export const identityKey = (loginOrEmail: string): string =>
  (loginOrEmail.includes('@') && readEmail(loginOrEmail)) || loginOrEmail.trim().toLowerCase();

/** Who acts in records where it is no user. A user with this login would be taken for them. */
const RESERVED = new Set(['customer', 'requestor', 'schedule', 'stripe', 'system', 'wordpress']);

/** @throws InvalidFieldError; TakenError for a reserved login */
export function assertLogin(login: string): void {
  if (RESERVED.has(identityKey(login))) {
    const message = `"${login}" stands for no user in logs, so no user can have this login. Choose another.`;
    throw new TakenError('username', message);
  }
  if (LOGIN.test(login)) return;
  throw new InvalidFieldError(
    'username',
    `"${login}" is not a valid login. Use up to 60 characters of a-z, A-Z, 0-9, ".", "_" and "-", starting with a letter or digit.`,
  );
}

/** @throws InvalidFieldError */
export function parseUserEmail(email: string): string {
  const address = readEmail(email);
  if (address !== undefined) return address;
  const message = `"${email}" is not an email address. Use the form name@example.com.`;
  throw new InvalidFieldError('email', message);
}

/** How long to wait after too many failures, in whole minutes. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** @throws InvalidFieldError if a new password is too short or too long for a user of this role */
export function assertPasswordLength(password: string, role: string): void {
  const { length } = [...password];
  const isAdministrator = role === 'administrator';
  const least = isAdministrator ? ADMINISTRATOR_PASSWORD_MIN_LENGTH : PASSWORD_MIN_LENGTH;
  if (length >= least && length <= PASSWORD_MAX_LENGTH) return;
  const who = isAdministrator ? ' for an administrator' : '';
  throw new InvalidFieldError(
    'password',
    `The password has ${length} characters. ${least} to ${PASSWORD_MAX_LENGTH} are allowed${who}.`,
  );
}

/** The trimmed name of an application password. @throws InvalidFieldError */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed && [...trimmed].length <= NAME_MAX_LENGTH && !/\p{C}/u.test(trimmed)) return trimmed;
  const message = `The name must have 1 to ${NAME_MAX_LENGTH} printable characters.`;
  throw new InvalidFieldError('name', message);
}
