import { readEmail } from '../../platform/email-address.ts';
import { CliError } from '../../platform/errors.ts';

/** No `@`, so that a login is never somebody's address; no `:`, which ends the user in Basic. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
export const PASSWORD_MIN_LENGTH = 8;
export const ADMINISTRATOR_PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 200;
const NAME_MAX_LENGTH = 100;

/** A refusal of what was given for a user; `param` is what the plugin interface calls that. */
export class InvalidUserError extends CliError {
  readonly param: 'username' | 'email' | 'password' | 'name';

  constructor(param: InvalidUserError['param'], message: string, exitCode: 1 | 2 = 2) {
    super(message, exitCode);
    this.param = param;
  }
}

/** The form in which a login or an address identifies a user: neither is case-sensitive. */
export const identityKey = (loginOrEmail: string): string => loginOrEmail.trim().toLowerCase();

/** @throws InvalidUserError if a new user cannot have this login */
export function assertLogin(login: string): void {
  if (!LOGIN.test(login)) {
    throw new InvalidUserError(
      'username',
      `"${login}" is not a valid login: use up to 60 characters of a-z, A-Z, 0-9, ".", "_" and "-", starting with a letter or digit`,
    );
  }
}

/**
 * The address of a user, as it identifies them.
 * @throws InvalidUserError if it is not an email address
 */
export function normaliseUserEmail(email: string): string {
  const address = readEmail(email);
  if (address === undefined) {
    throw new InvalidUserError(
      'email',
      `"${email}" is not an email address, for example name@example.com`,
    );
  }
  return address;
}

/** @throws InvalidUserError if a new password is too short or too long for a user of this role */
export function assertPasswordLength(password: string, role: string): void {
  const { length } = [...password];
  const isAdministrator = role === 'administrator';
  const least = isAdministrator ? ADMINISTRATOR_PASSWORD_MIN_LENGTH : PASSWORD_MIN_LENGTH;
  if (length >= least && length <= PASSWORD_MAX_LENGTH) return;
  const who = isAdministrator ? ' for an administrator' : '';
  throw new InvalidUserError(
    'password',
    `the password has ${length} characters: ${least} to ${PASSWORD_MAX_LENGTH} are allowed${who}`,
  );
}

export const easyToGuess = (): InvalidUserError =>
  new InvalidUserError(
    'password',
    'the password is easy to guess: use 12 or more characters that are no common password, name or date, for example four random words',
  );

/**
 * The name of an application password, trimmed.
 * @throws InvalidUserError if it is empty, too long, or has control characters
 */
export function normaliseName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed || trimmed.length > NAME_MAX_LENGTH || /\p{C}/u.test(trimmed)) {
    throw new InvalidUserError(
      'name',
      `the name must have 1 to ${NAME_MAX_LENGTH} printable characters`,
    );
  }
  return trimmed;
}
