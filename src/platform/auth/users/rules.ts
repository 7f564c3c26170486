import { Refusal } from '../../errors.ts';

/** No `@`, so that a login is never somebody's address; no `:`, which ends the user in Basic. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 200;
const NAME_MAX_LENGTH = 100;

/** The form in which a login or an address identifies a user: neither is case-sensitive. */
export const identityKey = (loginOrEmail: string): string => loginOrEmail.trim().toLowerCase();

/** @throws Refusal if a new user cannot have this login */
export function assertLogin(login: string): void {
  if (!LOGIN.test(login)) {
    throw new Refusal(
      `"${login}" cannot be a login: up to 60 of a-z, A-Z, 0-9, ".", "_" and "-" are allowed, the first a letter or digit`,
      2,
    );
  }
}

/** @throws Refusal if a new password is too short or too long */
export function assertPassword(password: string): void {
  const { length } = [...password];
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) {
    throw new Refusal(
      `the password has ${length} characters: ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} are allowed`,
      2,
    );
  }
}

/**
 * The name of an application password, trimmed.
 * @throws Refusal if it is empty, too long, or has control characters
 */
export function normaliseName(name: string): string {
  const trimmed = name.trim();
  if (!trimmed || trimmed.length > NAME_MAX_LENGTH || /\p{C}/u.test(trimmed)) {
    throw new Refusal(`the name must have 1 to ${NAME_MAX_LENGTH} printable characters`, 2);
  }
  return trimmed;
}
